"""What was measured: kept as JSON, shown as Markdown."""
import dataclasses
import json
import os

from harness import programs

FOLDER = os.path.join(programs.ROOT, ".build", "bench")
PATH = os.path.join(FOLDER, "figures.json")


@dataclasses.dataclass
class Part:
    """The tables of a part, as text, and every figure that they were made from."""
    title: str
    tables: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)
    figures: dict = dataclasses.field(default_factory=dict)

    def add(self, head, rows):
        self.tables.append({"head": head, "rows": rows})


def load():
    try:
        with open(PATH, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def record(part, machine):
    return {"machine": machine, **dataclasses.asdict(part)}


def save(results, order):
    os.makedirs(FOLDER, exist_ok=True)
    with open(PATH, "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1, ensure_ascii=False, sort_keys=True)
        file.write("\n")
    with open(os.path.join(FOLDER, "tables.md"), "w", encoding="utf-8") as file:
        file.write("# Figures\n\nMade by `Scripts/bench/run`: medians, with the quartiles in "
                   "parentheses. Those of one part may be compared with each other only.\n\n")
        file.write("\n".join(markdown(results[name]) for name in order if name in results))


def markdown(result):
    lines = [f"## {result['title']}", ""]
    for table in result["tables"]:
        lines += [row(table["head"]), "|" + "---|" * len(table["head"])]
        lines += [row(cells) for cells in table["rows"]]
        lines.append("")
    for note in result["notes"]:
        lines += [note, ""]
    machine = result["machine"]
    lines.append(
        f"{machine['processor']}, {machine['memory']}; {machine['system']}; Swift "
        f"{machine['swift']}; sources {machine['sources']}; {machine['date']}; load "
        f"{machine['load']}.\n")
    return "\n".join(lines)


def row(cells):
    return "| " + " | ".join(cells) + " |"
