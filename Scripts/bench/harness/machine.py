"""On what machine, and with which versions, figures were measured."""
import datetime
import os
import platform
import re
import subprocess

from harness import programs


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return re.search(r"model name\s*: (.*)", file.read()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or platform.machine()


def memory():
    return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB"


def commit():
    """The sources that were measured, and whether they were changed after that commit."""
    def git(*arguments):
        command = ["git", *arguments]
        return subprocess.run(command, cwd=programs.ROOT, capture_output=True, text=True)

    name = git("rev-parse", "--short", "HEAD").stdout.strip() or "unknown"
    changes = git("diff", "--quiet", "HEAD", "--", "Sources", "Scripts/bench/PoolBench")
    is_same = changes.returncode == 0
    return name if is_same else f"{name}, changed"


def describe():
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    return {
        "processor": f"{processor()}, {os.cpu_count()} cores",
        "memory": memory(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "swift": re.search(r"Swift version (\S+)", swift).group(1),
        "sources": commit(),
        "date": datetime.date.today().isoformat(),
        # Above the number of cores, something else was running.
        "load": f"{os.getloadavg()[0]:.1f}",
    }
