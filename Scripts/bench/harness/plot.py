"""One picture of the figures: bars on scales of decades, readable on light and on dark."""
import html
import math
import os

from harness import report
from harness.samples import median, number

LEFT, WIDTH, RIGHT = 250, 430, 100
BAR, GAP, HEAD, FOOT = 18, 6, 34, 34
# With a ground of its own, since not all that shows pictures tells them whether it is dark.
STYLE = """
  .ground { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .ours { fill: #0969da } .theirs { fill: #8c959f } .line { stroke: #d1d9e0 }
  .scale { font-size: 11px; fill: #59636e }
  .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .value { stroke: #0d1117 }
    text { fill: #f0f6fc } .scale { fill: #9198a1 }
    .ours { fill: #4493f8 } .theirs { fill: #656c76 } .line { stroke: #3d444d }
  }
"""
KEPT = os.path.join(report.FOLDER, "figures.svg")
SHOWN = ["noop", "typed", "commands", "granularity"]


def panels(results):
    """Title, and bars from the best to the least: a name, a value, and whether it is ours."""
    def values(part, names):
        figures = results.get(part, {}).get("figures", {})
        bars = [(label, median(figures[key]), key == "pool" or key.startswith("`opool"))
                for key, label in names.items() if figures.get(key)]
        return sorted(bars, key=lambda bar: -bar[1])

    typed = {"pool": "opool", "multiprocessing imap_unordered": "multiprocessing imap_unordered",
             "multiprocessing apply_async": "multiprocessing apply_async", "pebble": "pebble",
             "concurrent.futures": "concurrent.futures", "loky": "loky", "ray": "ray",
             "dask": "dask"}
    commands = {"`opool map -q -j2 /bin/true`": "opool map", "`xargs -P2 -n1 /bin/true`": "xargs",
                "`make -r -j2`": "make", "`ninja -j2`": "ninja", "HyperQueue": "HyperQueue",
                "`parallel -j2 /bin/true`": "GNU parallel"}
    yield "Operations that do nothing, a second (more is better)", values("noop", {
        "ceiling": "the frames alone", "pool": "opool, two processes",
        "foundation": "OperationQueue, in process"})
    yield "A struct in, a struct out: operations a second (more is better)", values("typed", typed)
    yield "/bin/true: commands a second (more is better)", values("commands", commands)
    yield ("METG(50 %) as Task Bench defines it, stencil_1d, µs (less is better)",
           granularity(results))


def granularity(results):
    bars = []
    for name, patterns in results.get("granularity", {}).get("figures", {}).items():
        value = median(patterns["stencil_1d"]) / 1e3 if patterns.get("stencil_1d") else math.inf
        if math.isfinite(value):
            bars.append((name, value, name == "opool"))
    return sorted(bars, key=lambda bar: bar[1])


def panel(title, bars, top):
    """The lines of one panel, and where the next begins."""
    low = math.floor(math.log10(min(value for _, value, _ in bars)))
    high = math.ceil(math.log10(max(value for _, value, _ in bars)) + 1e-9)
    low, end = min(low, high - 1), top + HEAD + len(bars) * (BAR + GAP)

    def place(value):
        return LEFT + WIDTH * (math.log10(value) - low) / (high - low)

    lines = [f'<text class="title" x="12" y="{top + 20}">{html.escape(title)}</text>']
    for decade in range(low, high + 1):
        x = place(10.0 ** decade)
        lines.append(f'<path class="line" d="M{x:.1f} {top + HEAD - 4}V{end}"/>')
        lines.append(f'<text class="scale" x="{x:.1f}" y="{end + 14}" text-anchor="middle">'
                     f'{label(decade)}</text>')
    for index, (name, value, is_ours) in enumerate(bars):
        y, x = top + HEAD + index * (BAR + GAP), max(place(value), LEFT + 2)
        lines += [
            f'<text x="{LEFT - 8}" y="{y + 14}" text-anchor="end">{html.escape(name)}</text>',
            f'<rect class="{"ours" if is_ours else "theirs"}" x="{LEFT}" y="{y}" rx="2" '
            f'width="{x - LEFT:.1f}" height="{BAR}"/>',
            f'<text class="value" x="{x + 6:.1f}" y="{y + 14}">{number(value)}</text>']
    return lines, end + FOOT


def label(decade):
    return f"{10 ** decade:,}" if decade >= 0 else f"{10.0 ** decade:g}"


def draw(results):
    caption = "Medians. Scales are logarithmic: each line is ten times the one before."
    lines, top = [f'<text class="scale" x="12" y="20">{caption}</text>'], 30
    where = machines(results)
    for title, bars in panels(results):
        if bars:
            more, top = panel(title, bars, top)
            lines += more
    lines += [f'<text class="scale" x="12" y="{top + 4 + 16 * index}">{html.escape(text)}</text>'
              for index, text in enumerate(where)]
    top += 16 * len(where)
    size = f'width="{LEFT + WIDTH + RIGHT}" height="{top}"'
    box = f'viewBox="0 0 {LEFT + WIDTH + RIGHT} {top}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>',
                      f"<style>{STYLE}</style>",
                      '<rect class="ground" width="100%" height="100%"/>', *lines, "</svg>", ""])


def machines(results):
    """Where and when the parts that are shown were measured, each machine once."""
    shown = [results[name]["machine"] for name in SHOWN if name in results]
    return sorted({f"{machine['processor']}; {machine['system']}; Swift {machine['swift']}; "
                   f"{machine['date']}" for machine in shown})


def save(results, path=KEPT):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(draw(results))
