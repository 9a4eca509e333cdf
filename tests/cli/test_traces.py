"""The example traces verify themselves on both targets; the report holds what the product page promises."""
import json
import re
import subprocess
import sys

import numpy as np
import pytest

from harness import ROOT, TARGETS, npusim, report

TRACES = sorted(p.stem for p in (ROOT / "traces").glob("*.pto"))
PIPES = {"V", "S", "MTE2", "MTE3"}
PROVENANCE = {"documented", "measured", "fit", "assumed"}


def trace(name):
    return ROOT / "traces" / f"{name}.pto"


def expectations(name):
    """Result, file and tolerance of each expect line."""
    return re.findall(r'^//! expect (\w+) = npy\("(.*)"\) ?(.*)$', trace(name).read_text(), re.M)


def results(name):
    return [result for result, _, _ in expectations(name)]


def ulps(a, b):
    """Distance of two arrays of bf16 bit patterns in units of the last place."""
    a, b = (np.where(x & 0x8000, -(x & 0x7FFF).astype(int), x.astype(int)) for x in (a, b))
    return np.abs(a - b).max()


def holds(got, want, tolerance):
    rule, _, limit = tolerance.partition("=")
    if rule == "ulp":
        return ulps(got, want) <= int(limit)
    if not rule:
        return got.tobytes() == want.tobytes()
    scale = {"atol": 1, "rtol": np.abs(want.astype(float))}[rule]
    return bool((np.abs(got.astype(float) - want) <= float(limit) * scale).all())


both = pytest.mark.parametrize("target", TARGETS)
every = pytest.mark.parametrize("name", TRACES)


@both
@every
def test_verifies_itself(name, target):
    done = npusim("run", f"traces/{name}.pto", "--target", target, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "error:" not in done.stderr and "warning:" not in done.stderr


@both
@every
def test_dumped_results(name, target, tmp_path):
    args = [a for r in results(name) for a in ("--dump", f"{r}={tmp_path / r}.npy")]
    assert npusim("run", trace(name), "--target", target, *args).returncode == 0
    for result, file, tolerance in expectations(name):
        want = np.load(ROOT / "traces" / file)
        got = np.load(tmp_path / f"{result}.npy").reshape(want.shape)
        assert got.dtype == want.dtype and holds(got, want, tolerance)


@both
@every
def test_report(name, target):
    r = report("run", trace(name), "--target", target)
    assert r["schema"] == "npusim-report/1" and r["target"] == target and r["conformance"] == "document"
    assert r["cycles"] > 0
    assert r["time_us"] == pytest.approx(r["cycles"] / r["frequency_hz"] * 1e6, rel=1e-3, abs=1e-3)
    assert set(r["pipes"]) >= PIPES
    ops = [i["op"] for i in r["instructions"]]
    assert {"tload", "tstore"} < set(ops)
    text = trace(name).read_text().splitlines()
    for k, i in enumerate(r["instructions"]):
        assert i["index"] == k
        assert f"pto.{i['op']}" in text[i["line"] - 1]
        assert 0 <= i["start"] <= i["end"] <= r["cycles"]
        assert i["cycles"] == i["end"] - i["start"] > 0
        assert i["uops"] > 0 and i["wait_cycles"] >= 0 and i["bytes_read"] >= 0
        assert i["confidence"] in PROVENANCE
        assert all(i["start"] <= s["start"] <= s["end"] <= i["end"] for s in i["stages"])
        assert sum(s["uops"] for s in i["stages"]) == i["uops"]
    for pipe in PIPES:
        assert r["pipes"][pipe].get("busy", 0) <= r["cycles"]
    assert 0 < r["ub"]["peak"] <= r["ub"]["size"] == {"a2a3": 196608, "950": 262144}[target]


@both
@every
def test_quantum_changes_nothing(name, target, tmp_path):
    seen = set()
    for quantum in (1, 7, 64, 0):
        dumps = [a for r in results(name) for a in ("--dump", f"{r}={tmp_path / r}.npy")]
        done = npusim("run", trace(name), "--target", target, "--quantum", quantum, "--report", "json", *dumps)
        assert done.returncode == 0, done.stderr
        seen.add((done.stdout, *((tmp_path / f"{r}.npy").read_bytes() for r in results(name))))
    assert len(seen) == 1


@both
@every
def test_two_runs_are_identical(name, target):
    first, second = (npusim("run", trace(name), "--target", target, "--report", "json") for _ in range(2))
    assert first.stdout == second.stdout and first.stderr == second.stderr


@both
@every
def test_ideal_is_never_slower(name, target):
    cycles = {s: report("run", trace(name), "--target", target, "--sync", s)["cycles"] for s in ("auto", "ideal")}
    assert cycles["ideal"] <= cycles["auto"]


@every
def test_time_does_not_depend_on_data(name):
    text = trace(name).read_text()
    argument, file = re.search(r'^//! arg (\w+) = npy\("(.*)"\)$', text, re.M).groups()
    shape = "x".join(map(str, np.load(ROOT / "traces" / file).shape))
    element = re.search(rf"%{argument}: !pto.ptr<(\w+)>", text)[1]
    args = ["run", trace(name), "--report", "json"]
    plain = npusim(*args)
    zeros = npusim(*args, "--arg", f"{argument}=zeros:{shape}x{element}")
    assert zeros.returncode == 1  # the expected results no longer hold
    cut = lambda done: [(i["start"], i["end"]) for i in json.loads(done.stdout)["instructions"]]
    assert cut(plain) == cut(zeros)


@every
def test_results_off_gives_the_same_cycles(name):
    on, off = (report("run", trace(name), "--results", r) for r in ("on", "off"))
    assert on["cycles"] == off["cycles"]
    assert [i["end"] for i in on["instructions"]] == [i["end"] for i in off["instructions"]]


@pytest.mark.parametrize("conformance", ["document", "library"])
@both
@every
def test_both_conformances(name, target, conformance):
    """The examples avoid what document and library do differently."""
    done = npusim("run", trace(name), "--target", target, "--set", f"semantics.conformance={conformance}")
    assert done.returncode == 0, done.stderr


def test_data_is_reproducible(tmp_path):
    subprocess.run([sys.executable, ROOT / "tests" / "make_trace_data.py", tmp_path], check=True)
    stored = sorted((ROOT / "traces" / "data").glob("*.npy"))
    assert [p.name for p in stored] == sorted(p.name for p in tmp_path.glob("*.npy"))
    for p in stored:
        assert p.read_bytes() == (tmp_path / p.name).read_bytes(), p.name


def test_every_example_expects_something_and_is_listed():
    readme = (ROOT / "traces" / "README.md").read_text()
    for name in TRACES:
        assert expectations(name), name
        assert f"[{name}.pto]({name}.pto)" in readme, name
    assert sorted(re.findall(r"\]\((\w+)\.pto\)", readme)) == TRACES


@both
@every
def test_listed_cycles(name, target):
    """The table of traces/README.md is what this version reports."""
    row = next(l for l in (ROOT / "traces" / "README.md").read_text().splitlines() if f"]({name}.pto)" in l)
    listed = dict(zip(TARGETS, row.split("|")[4:6]))
    assert listed[target].strip() == f"{report('run', trace(name), '--target', target)['cycles']:,}"


@every
def test_stays_below_the_reserved_top(name):
    """The highest byte of any tile, with the first address that a2a3 keeps for itself as the limit."""
    assert report("run", trace(name), "--target", "a2a3")["ub"]["peak"] <= 188416
