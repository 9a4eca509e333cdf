"""The benchmark runs every case and counts their micro-operations; how long they take is nobody's claim."""
import re
import subprocess
import sys

from harness import NPUSIM, ROOT


def test_every_case_is_measured():
    command = [sys.executable, ROOT / "tests" / "benchmark.py", NPUSIM, "--against", NPUSIM, "--rounds", "1", "--lines", "50"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = dict(re.findall(r"^(\S.*?(?:a2a3|950)) +([\d,]+) +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+$", out, re.M))
    # A line is one micro-operation and the barrier before it; filling a tile takes five.
    assert rows["straight a2a3"] == rows["straight, short a2a3"] == "120"
    assert {name.rsplit(" ", 1)[0] for name in rows} == {"straight", "straight, short", "loop", "row_argmin"}
    assert len(rows) == 8
