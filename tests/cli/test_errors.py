"""Diagnostics: tests/errors/NAME.pto and what npusim says about it, NAME.out.

The first line of a case is `// TARGET STATUS ID [options]`: ID must appear with the severity that the exit
status asks for, `^ID` must not appear, no ID means that nothing is wrong. `-` as target passes no --target. NAME.out
holds the message lines. Adding a case is adding two files; `NPUSIM=build/npusim python3 test_errors.py` writes the .out
files that are missing, with --all every one: read the difference before you keep it.
"""
import re
import sys

import pytest

from harness import ROOT, npusim

FOLDER = ROOT / "tests" / "errors"
CASES = sorted(p.stem for p in FOLDER.glob("*.pto"))
MESSAGE = re.compile(r"^(\S+?(:\d+){0,2}: )?(error|warning|note): .*\[(\w+)\]( \(\d+ times\))?$")


def header(name):
    words = (FOLDER / f"{name}.pto").read_text().splitlines()[0].removeprefix("// ").split()
    rule = words[2] if len(words) > 2 and not words[2].startswith("--") else ""
    return words[0], int(words[1]), rule, words[3 if rule else 2:]


def run(name):
    target, _, _, options = header(name)
    choice = [] if target == "-" else ["--target", target]
    done = npusim("run", f"{name}.pto", *choice, *options, cwd=FOLDER)
    lines = [line for line in done.stderr.splitlines() if MESSAGE.match(line)]
    return done, lines


def check_rule(rule, status, lines):
    found = [(m.group(3), m.group(4)) for m in map(MESSAGE.match, lines)]
    if rule.startswith("^"):
        assert rule[1:] not in [i for _, i in found]
    elif rule:
        severities = [s for s, i in found if i == rule]
        assert severities, f"no {rule} in {lines}"
        assert ("error" in severities) == (status != 0)
    assert ("error" in [s for s, _ in found]) == (status != 0)


@pytest.mark.parametrize("name", CASES)
def test_messages(name):
    _, status, rule, _ = header(name)
    done, lines = run(name)
    assert done.returncode == status, done.stderr
    check_rule(rule, status, lines)
    assert lines == (FOLDER / f"{name}.out").read_text().splitlines()


@pytest.mark.parametrize("name", CASES)
def test_places_are_shown(name):
    """Every message with a column is followed by the source line and a caret below that column."""
    done, _ = run(name)
    lines = done.stderr.splitlines()
    source = (FOLDER / f"{name}.pto").read_text().splitlines()
    for k, line in enumerate(lines):
        m = re.match(rf"^{re.escape(name)}\.pto:(\d+):(\d+): ", line)
        if not m:
            continue
        row, column = int(m.group(1)), int(m.group(2))
        text = source[row - 1] if row <= len(source) else ""
        assert column <= len(text) + 1, line
        shown = lines[k + 1:k + 4]
        assert any("^" in s for s in shown), line


def test_every_case_has_its_output():
    assert {p.stem for p in FOLDER.glob("*.out")} == set(CASES)


def regenerate(everything):
    for name in CASES:
        path = FOLDER / f"{name}.out"
        if path.exists() and not everything:
            continue
        _, status, rule, _ = header(name)
        done, lines = run(name)
        try:
            assert done.returncode == status, f"exit status {done.returncode}"
            check_rule(rule, status, lines)
        except AssertionError as e:
            print(f"{name}: not written, its first line does not hold: {e}")
            continue
        path.write_text("".join(line + "\n" for line in lines))


if __name__ == "__main__":
    regenerate("--all" in sys.argv)
