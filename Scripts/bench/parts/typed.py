"""Operations of a type: a struct of three fields in, another one out."""
from harness.programs import BENCH, figures, peer
from harness.report import Part
from harness.samples import median, ratios, spread

# So many that each takes a second or two.
PEERS = {
    "concurrent.futures": 10_000, "multiprocessing imap_unordered": 30_000,
    "multiprocessing apply_async": 20_000, "pebble": 10_000, "loky": 6_000,
    "dask": 1_000, "ray": 2_000,
}
CODERS = ["encode", "decode", "foundation.encode", "foundation.decode",
          "decode.text", "foundation.decode.text"]


def run(count=50_000, rounds=5):
    rates, coders, versions = {"pool": []}, {name: [] for name in CODERS}, {}
    absent = set()
    adding = figures([BENCH, "adding", "100000", str(rounds)])
    for _ in range(rounds):
        ours = figures([BENCH, "typed", str(count)])
        rates["pool"] += ours["pool"]
        for name in coders:
            coders[name] += ours[name]
        for name, number in PEERS.items():
            found = None if name in absent else peer("typed.py", name, number)
            if found is None:
                absent.add(name)
                continue
            versions[name] = found[0]
            rates.setdefault(name, []).extend(found[1]["rate"])
    return part(rates, coders, adding, versions, rounds)


def part(rates, coders, adding, versions, rounds):
    base = median(rates.get("concurrent.futures", [float("nan")]))
    rows = []
    for name, samples in rates.items():
        label = "`PoolTypedOperation`" if name == "pool" else f"{name} ({versions[name]})"
        rows.append([label, spread(samples), f"{median(samples) / base:.2f}×"])
    result = Part("Operations of a type", figures={**rates, **coders, **adding})
    result.add([f"three fields in, three out, 2 processes, {rounds} rounds", "operations/s",
                "over concurrent.futures"], rows)
    encode, decode, others_encode, others_decode, text, others_text = (
        spread(coders[name], "µs") for name in CODERS)
    result.notes.append(
        f"Our coder takes {encode} to encode one value and {decode} to decode one, and "
        f"Foundation's {others_encode} and {others_decode}; each operation encodes and "
        "decodes one in the coordinator, and one in its worker. Six short texts, of which five are "
        f"not ASCII, take {text} to decode, and {others_text} with Foundation's.")
    share = median(ratios(adding["adding.typed"], adding["adding.noop"]))
    result.notes.append(
        f"Added by one thread: {spread(adding['adding.typed'])} operations/s, {share:.2f} of the "
        "rate of operations that do nothing; adding takes "
        f"{spread(adding['adding.typed.each'], 'µs')} each.")
    return result
