"""The example traces verify themselves on both targets; the report holds what the product page promises."""
import json
import subprocess
import sys

import numpy as np
import pytest

from harness import NPUSIM, ROOT, TARGETS, npusim, report

TRACES = sorted(p.stem for p in (ROOT / "traces").glob("*.pto"))
RESULTS = {"clamp": ["y"], "row_argmin": ["value", "index"], "wide_argmin": ["value", "column", "start"],
           "running_max": ["y"]}
PIPES = {"V", "S", "MTE2", "MTE3"}
PROVENANCE = {"documented", "measured", "fit", "assumed"}


def trace(name):
    return ROOT / "traces" / f"{name}.pto"


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
    args = [a for r in RESULTS[name] for a in ("--dump", f"{r}={tmp_path / r}.npy")]
    assert npusim("run", trace(name), "--target", target, *args).returncode == 0
    for result in RESULTS[name]:
        want = np.load(ROOT / "traces" / "data" / f"{name}_{result}.npy")
        got = np.load(tmp_path / f"{result}.npy")
        assert got.reshape(want.shape).tobytes() == want.tobytes()


@both
@every
def test_report(name, target):
    r = report("run", trace(name), "--target", target)
    assert r["schema"] == "npusim-report/1" and r["target"] == target and r["conformance"] == "document"
    assert r["cycles"] > 0
    assert r["time_us"] == pytest.approx(r["cycles"] / r["frequency_hz"] * 1e6, rel=1e-3, abs=1e-3)
    assert set(r["pipes"]) >= PIPES
    ops = [i["op"] for i in r["instructions"]]
    assert "tload" in ops and "tstore" in ops and any(o.startswith(("tmin", "tmax", "tpart", "trow")) for o in ops)
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
        dumps = [a for r in RESULTS[name] for a in ("--dump", f"{r}={tmp_path / r}.npy")]
        done = npusim("run", trace(name), "--target", target, "--quantum", quantum, "--report", "json", *dumps)
        assert done.returncode == 0, done.stderr
        seen.add((done.stdout, *((tmp_path / f"{r}.npy").read_bytes() for r in RESULTS[name])))
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
    argument = "starts" if name == "wide_argmin" else "x"
    shape = {"clamp": "64x256xf16", "row_argmin": "16x1024xf32", "wide_argmin": "2x8xi32", "running_max": "41x64xf32"}
    args = ["run", trace(name), "--report", "json"]
    plain = npusim(*args)
    zeros = npusim(*args, "--arg", f"{argument}=zeros:{shape[name]}")
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


def test_every_example_is_covered():
    assert TRACES == sorted(RESULTS) and NPUSIM
