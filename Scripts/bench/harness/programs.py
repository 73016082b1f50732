"""Building, starting and measuring programs: ours and those beside it."""
import collections
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PRODUCTS = os.path.join(ROOT, ".build", "release")
INSTALLED = os.path.join(ROOT, ".build", "bench", "installed")
OPOOL = os.path.join(INSTALLED, "bin", "opool")
BENCH = os.path.join(PRODUCTS, "pool-bench")
STRESS = os.path.join(PRODUCTS, "pool-stress")
PYTHON = os.path.join(ROOT, ".build", "peers", "bin", "python")

# Seconds that a peer may take.
PATIENCE = 300

Run = collections.namedtuple("Run", "wall processor peak")
missing = set()


def build():
    """The programs as a user installs them, and those that measure."""
    commands = [["Scripts/install", INSTALLED]]
    for product in ("pool-bench", "pool-stress", "opool-worker"):
        commands.append(["swift", "build", "-c", "release", "--product", product])
    for command in commands:
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def absences():
    """Names once what the part left out, so that its absence is not taken for a choice."""
    names = sorted(missing)
    missing.clear()
    return [f"Not installed, or too slow, so left out: {', '.join(names)}."] if names else []


def installed(name):
    """Whether a program is on PATH; remembers that it is not."""
    if shutil.which(name):
        return True
    missing.add(name)
    return False


def measure(arguments, text=b"", output=subprocess.DEVNULL, folder=None):
    """Runs a program: wall seconds, processor seconds with children, peak MB of its processes."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as errors:
        source.write(text)
        source.seek(0)
        start = time.monotonic()
        process = subprocess.Popen(arguments, stdin=source, stdout=output, stderr=errors,
                                   cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if process.returncode != 0:
            said = errors.read(2000).decode(errors="replace")
            raise SystemExit(f"{arguments} exited with {process.returncode}: {said}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def figures(arguments):
    """Runs a program that prints lines of a name and a number: the numbers of each name."""
    output = subprocess.run(arguments, capture_output=True, text=True)
    if output.returncode != 0:
        raise SystemExit(f"{arguments} exited with {output.returncode}: {output.stderr[-2000:]}")
    return gathered(output.stdout)


def gathered(text):
    found = collections.defaultdict(list)
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name != "version":
            found[name].append(float(value))
    return dict(found)


def peer(script, *arguments):
    """Runs one of Scripts/bench/peers: its version and figures; None if it cannot be measured."""
    if not os.path.exists(PYTHON):
        missing.add("what Scripts/bench/peers/setup installs")
        return None
    path = os.path.join(ROOT, "Scripts", "bench", "peers", script)
    with tempfile.TemporaryDirectory() as folder:
        code, text, errors = limited([PYTHON, path, *map(str, arguments)], folder)
    if code != 0:
        last = errors.strip().splitlines()[-1:] or [f"exit code {code}"]
        print(f"{script} {' '.join(map(str, arguments))}: {last[0]}", file=sys.stderr)
        missing.add(str(arguments[0]) if script != "hyperqueue_commands.py" else "hyperqueue")
        return None
    lines = [line for line in text.splitlines() if is_figure(line)]
    version = next((line.partition(" ")[2] for line in lines if line.startswith("version ")), "")
    return version, gathered("\n".join(lines))


def limited(command, folder):
    """Runs a peer for PATIENCE at most: its exit code, and what it said."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        # In a group of its own: some leave processes behind that hold the outputs open.
        process = subprocess.Popen(command, stdout=output, stderr=errors, cwd=folder,
                                   start_new_session=True)
        try:
            code = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return -1, "", f"took longer than {PATIENCE} s"
        output.seek(0)
        errors.seek(0)
        return code, output.read(), errors.read()


def is_figure(line):
    """Whether it is one of ours: peers print banners of their own."""
    words = line.split(" ")
    if words[0] == "version":
        return True
    try:
        return len(words) == 2 and float(words[1]) >= 0
    except ValueError:
        return False
