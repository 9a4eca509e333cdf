"""Real faults: tests/faults/*.pto, the values they leave behind on both targets and what `npusim check` says.

Every case has a clean twin, a trace without the fault, which raises no error and no warning. Values are those of
library conformance unless the document defines something else.
"""
import json
import re

import numpy as np
import pytest

from harness import ROOT, TARGETS, npusim

FOLDER = ROOT / "tests" / "faults"
BOTH = ("document", "library")
NAN = np.nan


def check(name, target, conformance="document", *options):
    """Severities by rule, every message text, exit status."""
    done = npusim("check", FOLDER / f"{name}.pto", "--target", target, "--on-error", "continue", "--set", f"semantics.conformance={conformance}",
                  "--report", "json", *options)
    found = json.loads(done.stdout)["diagnostics"]
    return {d["id"]: d["severity"] for d in found}, " | ".join(d["message"] for d in found), done.returncode


def run(name, target, tiles, conformance="document", *options, tmp_path):
    """Valid regions of tiles after the run, which goes on over errors."""
    files = {t: tmp_path / f"{t}.npy" for t in tiles.split()}
    dumps = [word for t, f in files.items() for word in ("--dump", f"%{t}={f}")]
    done = npusim("run", FOLDER / f"{name}.pto", "--target", target, "--on-error", "continue", "--set", f"semantics.conformance={conformance}",
                  *dumps, *options)
    assert done.returncode in (0, 1), done.stderr
    got = [np.load(f) for f in files.values()]
    return got[0] if len(got) == 1 else got


def clean(name, target, *allowed):
    """No error, no warning, and no note but those that belong to the target."""
    ids, text, status = check(name, target)
    assert status == 0 and set(ids) <= {"TMP_IGNORED", *allowed}, text


@pytest.mark.parametrize("conformance", BOTH)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("op", ["tpartargmin", "tpartargmax"])
def test_01_equal_values(op, target, conformance, tmp_path):
    dv, di = run(f"01_{op}", target, "dv di", conformance, tmp_path=tmp_path)
    assert (dv == 1).all() and di[0].tolist() == [j + (100 if conformance == "document" else 0) for j in range(8)]
    ids, _, status = check(f"01_{op}", target, conformance)
    assert status == 0 and ids == {"TIE_DOC": "note"}
    clean(f"01_{op}_clean", target)


@pytest.mark.parametrize("conformance", BOTH)
@pytest.mark.parametrize("target", TARGETS)
def test_02_nan(target, conformance, tmp_path):
    dv, di = run("02_nan", target, "dv di", conformance, tmp_path=tmp_path)
    src0 = target == "950" and conformance == "library"
    assert np.array_equal(dv[0], [NAN, 5, NAN, 4, 1, 1, 1, 1] if src0 else [5, NAN, NAN, 4, 1, 1, 1, 1], equal_nan=True)
    tie = 0 if conformance == "library" else 100
    assert di[0].tolist() == ([0, 1, 2, 103] if src0 else [100, 101, 102, 103]) + [tie + j for j in (4, 5, 6, 7)]
    ids, text, _ = check("02_nan", target, conformance)
    assert ids["NAN_SEEN"] == "note" and "%sv0 at (0, 0) (0, 2)" in text and "%sv1 at (0, 1) (0, 2)" in text
    clean("02_nan_clean", target)


@pytest.mark.parametrize("rows,name", [(1, "05_tmp_formula"), (2, "05_tmp_formula_two_rows")])
@pytest.mark.parametrize("target", TARGETS)
def test_05_tmp_of_the_published_size(target, rows, name, tmp_path):
    d, g = run(name, target, "d g", tmp_path=tmp_path)
    assert (d == 5000).all() and d.shape == (rows, 1)
    ids, text, status = check(name, target)
    if target == "950":
        assert (g == 7).all() and ids == {"TMP_IGNORED": "note"}
        return
    want = [1.0 if k == 70 else -64.0 * (k + 8) for k in range(120)] + [7.0] * 8
    assert g[0].tolist() == want and want[0] == -512 and want[119] == -8128
    assert status == 1 and ids["TMP_SMALL"] == "error" and "384" in text and "264" in text and "%g" in text


@pytest.mark.parametrize("target", TARGETS)
def test_05_clean(target, tmp_path):
    d, g = run("05_tmp_formula_clean", target, "d g", tmp_path=tmp_path)
    assert (d == 5000).all() and (g == 7).all()
    clean("05_tmp_formula_clean", target)


@pytest.mark.parametrize("target", TARGETS)
def test_06_tmp_of_one_block(target, tmp_path):
    d = run("06_tmp_one_block", target, "d", tmp_path=tmp_path)
    ids, text, status = check("06_tmp_one_block", target)
    if target == "950":
        assert d[:, 0].tolist() == [70, 3, 64, 127] and ids == {"TMP_IGNORED": "note"}
    else:
        assert d[:, 0].tolist() == [0, 3, 4032, 127]
        assert status == 1 and ids["TMP_SMALL"] == "error" and re.search(r"16 elements.*the tile has 4x8", text)
        assert ids["TILE_OOB"] == "error" and "0x1080..0x1087" in text
    assert run("06_tmp_one_block_clean", target, "d", tmp_path=tmp_path)[:, 0].tolist() == [70, 3, 64, 127]
    clean("06_tmp_one_block_clean", target)


@pytest.mark.parametrize("target", TARGETS)
def test_08_tmp_on_a_tile_that_is_being_stored(target):
    ids, text, status = check("08_tmp_stored", target)
    if target == "a2a3":
        assert status == 1 and ids["HAZARD"] == "error"
        assert re.search(r"WAR hazard on bytes 0x1000\.\.0x11\w\w of %t: tstore in line \d+ on pipe MTE3 is not ordered before pipe V", text)
    else:
        assert status == 0 and "HAZARD" not in ids
    clean("08_tmp_stored_clean", target)


@pytest.mark.parametrize("target", TARGETS)
def test_09_count_mode_left_behind(target, tmp_path):
    ids, _, status = check("09a_count_mode", target)
    if target == "a2a3":
        assert status == 1 and ids["MASK_LEAK"] == "error" and ids["UB_OOB"] == "error"
        assert check("09b_count_mode", target)[::2] == ({"MASK_LEAK": "note"}, 0)
    else:
        assert status == 0 and ids["SYNC_950"] == "warning"
        dv, di = run("09a_count_mode", target, "dv di", tmp_path=tmp_path)
        assert (di == 31).all() and dv[:, 0].tolist() == [256 - 32 * r - 31 for r in range(8)]
    assert (run("09b_count_mode", target, "di", tmp_path=tmp_path) == 31).all()
    clean("09a_count_mode_clean", target)


@pytest.mark.parametrize("target", TARGETS)
def test_12_unequal_valid_rows(target, tmp_path):
    d = run("12_rows", target, "d", tmp_path=tmp_path)
    ids, _, status = check("12_rows", target)
    if target == "a2a3":
        assert (d == 0).all() and status == 1 and ids["VALID_MISMATCH"] == "error" and ids["INCOMPLETE"] == "error"
    else:
        assert (d[:8] == 5).all() and (d[8:] == 6).all() and status == 0 and ids["VALID_READ"] == "warning"
    clean("12_rows_clean", target)


@pytest.mark.parametrize("checks", ["basic", "full"])
@pytest.mark.parametrize("target", TARGETS)
def test_14_missing_barrier(target, checks, tmp_path):
    options = ["--sync", "as-written", "--checks", checks]
    ids, text, status = check("14_barrier", target, "document", *options)
    if target == "a2a3":
        assert status == 1 and ids == {"HAZARD": "error"}
        assert re.search(r"RAW hazard on bytes 0x4000\.\.0x7fff of %b: tmins in line \d+", text)
    else:
        assert status == 0 and not ids
    assert (run("14_barrier", target, "c", "document", *options, tmp_path=tmp_path) == 2).all()
    ids, _, status = check("14_barrier_clean", target, "document", *options)
    assert status == 0 and ids == ({} if target == "a2a3" else {"SYNC_950": "warning"})


def test_14_stale(tmp_path):
    """The reader sees what was there before its writer, and the message says so."""
    options = ["--sync", "as-written", "--stale"]
    assert (run("14_barrier", "a2a3", "c", "document", *options, tmp_path=tmp_path) == 5).all()
    b, c = run("14_barrier", "a2a3", "b c", "document", *options, tmp_path=tmp_path)
    assert (b == 2).all()
    assert "the old bytes are read" in check("14_barrier", "a2a3", "document", *options)[1]
    assert (run("14_barrier_clean", "a2a3", "c", "document", *options, tmp_path=tmp_path) == 2).all()
    assert (run("14_barrier", "950", "c", "document", *options, tmp_path=tmp_path) == 2).all()


@pytest.mark.parametrize("target", TARGETS)
def test_16_destination_on_a_source(target, tmp_path):
    d = run("16_narrow", target, "d", tmp_path=tmp_path)
    ids, text, status = check("16_narrow", target)
    if target == "a2a3":
        assert (d == 0).all() and status == 1 and ids["ALIAS"] == "error" and "src1 %s1" in text
    else:
        assert (d[:, :8] == 9).all() and (d[:, 8:] == 0).all() and status == 0 and ids == {"ALIAS": "note"}
    for name in ("16_wide", "16_clean"):
        d = run(name, target, "d", tmp_path=tmp_path)
        assert (d[:, :8] == 9).all() and (d[:, 8:] == 0).all()
        clean(name, target)


@pytest.mark.parametrize("target", TARGETS)
def test_17_padding(target, tmp_path):
    d, all2 = run("17_padding", target, "d all2", tmp_path=tmp_path)
    assert (d[:2] == 2).all() and (d[2:] == 1).all()
    assert (all2[:2, 12:] == 77).all() and (all2[2:, 12:] == (55 if target == "a2a3" else 77)).all()
    ids, _, status = check("17_padding", target)
    assert status == 0 and ids == ({"PAD_WRITE": "note"} if target == "a2a3" else {})
    clean("17_padding_clean", target)


@pytest.mark.parametrize("case,target,rule,severity", [
    ("19a", "a2a3", "UB_RESERVED_TOP", "warning"), ("19b", "a2a3", "UB_OOB", "error"), ("19c", "a2a3", "UB_OOB", "error"),
    ("19d", "a2a3", "UB_OOB", "error"), ("19a", "950", None, None), ("19b", "950", None, None), ("19c", "950", "UB_RESERVED_TOP", "warning"),
    ("19d", "950", "UB_OOB", "error")])
def test_19_top_of_ub(case, target, rule, severity):
    ids, _, status = check(case, target)
    assert status == (severity == "error") and (ids == {} if rule is None else ids[rule] == severity)
    clean("19_clean", target)


@pytest.mark.parametrize("case,rule,text", [("20a", "ALIGN", "16 mod 32"), ("20b", "ROW_PITCH", "16 bytes"), ("20d", "ALIGN", "16 mod 32")])
@pytest.mark.parametrize("target", TARGETS)
def test_20_alignment_and_pitch(target, case, rule, text):
    ids, said, status = check(case, target)
    assert status == 1 and ids[rule] == "error" and text in said
    clean("20c_clean", target)
    clean("20c_tmins", target, "LIBRARY_DIFFERS")
    assert npusim("run", FOLDER / "20c_tmins.pto", "--target", target).returncode == 0


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("op", ["trowargmax", "trowargmin"])
def test_22_ties_padding_infinities(op, target, tmp_path):
    dv, di = run(f"22_{op}", target, "dv di", tmp_path=tmp_path)
    sign = 1 if op == "trowargmax" else -1
    assert di[:, 0].tolist() == [0, 70, 10, 99] and dv[:, 0].tolist() == [-sign * np.inf, sign * 5, sign * 5, sign * 99]
    clean(f"22_{op}", target)


def cycles(name):
    done = npusim("run", FOLDER / f"{name}.pto", "--target", "a2a3", "--report", "json")
    return json.loads(done.stdout)["instructions"][0]["cycles"]


def test_25_count_mode_costs_something():
    got = [cycles(f"25a_{c}") for c in (64, 96, 128)]
    for c, want in zip(got, (87, 136, 153)):
        assert c == pytest.approx(want, rel=0.15)
    got = [cycles(f"25b_{c}") for c in (64, 128, 4096, 8192)]
    assert got == sorted(set(got))
    per_repeat = (got[3] - got[2]) / 64
    assert per_repeat >= 1 and got[2] - got[1] >= 62 * min(per_repeat, 2)


def test_every_trace_is_used():
    source = (ROOT / "tests" / "cli" / "test_faults.py").read_text()
    for path in FOLDER.glob("*.pto"):
        stem = re.sub(r"_(64|96|128|4096|8192|tpartargm\w\w|trowargm\w\w)(_clean)?$", "_", path.stem)
        assert stem in source, path.name
