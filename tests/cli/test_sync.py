"""--sync auto and --show-sync: flags between pipes, event ids, barriers, the tail."""
import json
import random

import pytest

from harness import TARGETS, npusim


def kernel(body, args="%x: !pto.ptr<f32>, %y: !pto.ptr<f32>", extra=""):
    """A function over 16x64 blocks of two arrays of 64 blocks; one statement a line."""
    lines = ["func.func @k(" + args + ") {",
             "  %c1 = arith.constant 1 : index", "  %c64 = arith.constant 64 : index", "  %c4096 = arith.constant 4096 : index",
             "  %half = arith.constant 0.5 : f32"]
    lines += [f"  %r{k} = arith.constant {16 * k} : index" for k in range(12)]
    lines += ["  %c16 = arith.constant 16 : index", "  %c0 = arith.constant 0 : index"]
    for p in "xy":
        lines.append(f"  %v{p} = pto.make_tensor_view %{p}, shape = [%c4096, %c64], strides = [%c64, %c1] : !pto.tensor_view<?x?xf32>")
        lines += [f"  %{p}{k} = pto.partition_view %v{p}, offsets = [%r{k}, %c0], sizes = [%c16, %c64] : !pto.tensor_view<?x?xf32> -> !pto.partition_tensor_view<16x64xf32>"
                  for k in range(12)]
    return "\n".join(lines + [extra] * bool(extra) + ["  " + b for b in body] + ["  return", "}"]) + "\n"


TILE = "!pto.tile_buf<vec, 16x64xf32>"
VIEW = "!pto.partition_tensor_view<16x64xf32>"


def tile(k, rows=16):
    return f"%t{k} = pto.alloc_tile : !pto.tile_buf<vec, {rows}x64xf32>"


def load(k, block=0):
    return f"pto.tload ins(%x{block} : {VIEW}) outs(%t{k} : {TILE})"


def store(k, block=0):
    return f"pto.tstore ins(%t{k} : {TILE}) outs(%y{block} : {VIEW})"


def scale(a, b):
    return f"pto.tmuls ins(%t{a}, %half : {TILE}, f32) outs(%t{b} : {TILE})"


def add(a, b, c):
    return f"pto.tadd ins(%t{a}, %t{b} : {TILE}, {TILE}) outs(%t{c} : {TILE})"


def run(tmp_path, text, *options):
    path = tmp_path / "k.pto"
    path.write_text(text)
    return json.loads(npusim("run", path, "--report", "json", *options).stdout)


def line_of(text, statement, nth=0):
    return [i for i, line in enumerate(text.splitlines(), 1) if line.strip() == statement][nth]


def flags(r):
    return [(e["from"], e["to"], e["events"], e["after_line"], e["line"], e["hazard"]) for e in r["sync_listing"] if e["kind"] == "flag"]


def with_sync(text, listing):
    """The text with what was inserted, as the compiler prints it."""
    front, behind = {}, {}
    for e in listing:
        if e["kind"] == "flag":
            pipes = f"<PIPE_{e['from']}>, <PIPE_{e['to']}>, <EVENT_ID{e['events'][0]}>"
            behind.setdefault(e["after_line"], []).append(f"pto.set_flag[{pipes}]")
            front.setdefault(e["line"], []).append(f"pto.wait_flag[{pipes}]")
        elif e["kind"] != "pruned":
            front.setdefault(e["line"], []).append(f"pto.barrier #pto.pipe<PIPE_{e['to'] if e['kind'] == 'barrier' else 'ALL'}>")
    out = []
    for number, line in enumerate(text.splitlines(), 1):
        out += front.get(number, []) + [line] + behind.get(number, [])
    return "\n".join(out) + "\n"


def random_body(seed):
    rng = random.Random(seed)
    body = [tile(k) for k in range(5)] + [load(k, k) for k in range(5)]
    for _ in range(25):
        a, b, c, block = rng.randrange(5), rng.randrange(5), rng.randrange(5), rng.randrange(12)
        body.append(rng.choice([load(a, block), store(a, block), scale(a, b), add(a, b, c), scale(a, a)]))
    return body


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", range(8))
def test_written_out_it_is_the_same_kernel(tmp_path, target, seed):
    """What is listed, put into the text, runs as written in the same cycles and without a hazard but those of barriers left out."""
    text = kernel(random_body(seed))
    auto = run(tmp_path, text, "--target", target, "--show-sync")
    written = run(tmp_path, with_sync(text, auto["sync_listing"]), "--target", target, "--checks", "full")
    assert written["sync"] == "as-written" and written["sync_inserted"] == 0
    assert written["cycles"] == auto["cycles"]
    for a, b in zip(auto["instructions"], written["instructions"], strict=True):
        assert (a["op"], a["start"], a["end"]) == (b["op"], b["start"], b["end"])
    errors = [d for d in written["diagnostics"] if d["severity"] == "error"]
    left_out = [e for e in auto["sync_listing"] if e["kind"] == "pruned"]
    assert all(d["id"] == "HAZARD" and "on pipe V is not ordered before pipe V" in d["message"] for d in errors)
    assert bool(errors) == bool(left_out) == (target == "a2a3")


@pytest.mark.parametrize("target", TARGETS)
def test_pipes_and_tail(tmp_path, target):
    text = kernel([tile(0), tile(1), load(0), scale(0, 1), store(1), load(0, 1)])
    r = run(tmp_path, text, "--target", target, "--show-sync")
    at = [line_of(text, s) for s in (load(0), scale(0, 1), store(1), load(0, 1))]
    assert flags(r) == [("MTE2", "V", [0], at[0], at[1], "RAW"), ("V", "MTE3", [0], at[1], at[2], "RAW"), ("V", "MTE2", [0], at[1], at[3], "WAR")]
    assert [e["line"] for e in r["sync_listing"] if e["kind"] == "tail"] == [line_of(text, "return")]
    assert r["sync_inserted"] == 4


def test_a_bare_list_has_no_tail(tmp_path):
    r = run(tmp_path, "%s = arith.constant 1.0 : f32\n%a = pto.alloc_tile : !pto.tile_buf<vec, 4x64xf32>\n//! init %a = iota\n"
            "pto.tadds ins(%a, %s : !pto.tile_buf<vec, 4x64xf32>, f32) outs(%a : !pto.tile_buf<vec, 4x64xf32>)\n", "--show-sync")
    assert r["sync_listing"] == [] and r["sync_inserted"] == 0


def test_barriers_on_a2a3_alone(tmp_path):
    part = "!pto.tile_buf<vec, 16x64xf32, valid=15x64>"
    one, two = (f"pto.tmuls ins(%{a} : {part}, f32) outs(%{b} : {part})".replace(" :", ", %half :", 1) for a, b in ("st", "tu"))
    text = kernel([f"%{k} = pto.alloc_tile : {part}" for k in "stu"] + [one, two, one])
    kinds = {t: [e["kind"] for e in run(tmp_path, text, "--target", t, "--show-sync")["sync_listing"]] for t in TARGETS}
    assert kinds == {"a2a3": ["barrier", "barrier", "tail"], "950": ["tail"]}


@pytest.mark.parametrize("rows, kind", [(15, "barrier"), (16, "pruned")])
def test_pruning_needs_sixteen_repeats(tmp_path, rows, kind):
    small = f"!pto.tile_buf<vec, {rows}x64xf32>"
    text = kernel([tile(0, rows), tile(1, rows), tile(2, rows), f"pto.tmuls ins(%t0, %half : {small}, f32) outs(%t1 : {small})",
                   f"pto.tmuls ins(%t1, %half : {small}, f32) outs(%t2 : {small})"])
    assert [e["kind"] for e in run(tmp_path, text, "--target", "a2a3", "--show-sync")["sync_listing"]] == [kind, "tail"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("loads", [8, 9, 10])
def test_event_ids_run_out(tmp_path, target, loads):
    """All flags lie between the last load and the first use: eight have an id, the ninth becomes a full barrier."""
    body = [tile(k) for k in range(loads)] + [load(k, k) for k in range(loads)] + [scale(k, k) for k in range(loads)]
    r = run(tmp_path, kernel(body), "--target", target, "--show-sync")
    assert [e[2] for e in flags(r)] == [[k] for k in range(8)]
    assert [e["kind"] for e in r["sync_listing"]].count("barrier_all") == (loads > 8) # it orders all that follows


def test_ids_are_used_again(tmp_path):
    body = [tile(0), tile(1)] + [s for k in range(6) for s in (load(k % 2, k), scale(k % 2, k % 2), store(k % 2, k))]
    r = run(tmp_path, kernel(body), "--target", "a2a3", "--show-sync")
    assert {e[2][0] for e in flags(r) if e[:2] == ("MTE2", "V")} == {0}


def test_loops_count(tmp_path):
    loop = ["scf.for %i = %c0 to %c64 step %c1 {", load(0), scale(0, 0), store(0), "}"]
    text = kernel([tile(0)] + loop)
    r = run(tmp_path, text, "--target", "a2a3", "--show-sync")
    times = {(e["from"], e["to"], e["hazard"]): e["times"] for e in r["sync_listing"] if e["kind"] == "flag"}
    assert times == {("MTE2", "V", "RAW"): 64, ("V", "MTE3", "RAW"): 64, ("MTE3", "MTE2", "WAR"): 63}
    assert r["sync_inserted"] == sum(times.values()) + 1


def test_scalar_loads_wait_for_stores(tmp_path):
    body = [tile(0), load(0), store(0), "%s = pto.load_scalar %y[%c0] : !pto.ptr<f32> -> f32", f"pto.tadds ins(%t0, %s : {TILE}, f32) outs(%t0 : {TILE})"]
    text = kernel(body)
    auto = run(tmp_path, text, "--target", "a2a3", "--show-sync")
    assert ("MTE3", "S", [0], line_of(text, store(0)), line_of(text, body[3]), "RAW") in flags(auto)
    done = {e["op"]: e for e in auto["instructions"]}
    assert done["tadds"]["start"] >= done["tstore"]["end"]
    (tmp_path / "k.pto").write_text(text)
    bad = npusim("run", tmp_path / "k.pto", "--sync", "as-written")
    assert "load_scalar: RAW hazard" in bad.stderr


def test_text_and_other_modes(tmp_path):
    text = kernel([tile(0), tile(1), load(0), scale(0, 1), store(1)])
    (tmp_path / "k.pto").write_text(text)
    out = npusim("run", tmp_path / "k.pto", "--show-sync").stdout
    assert "pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID0>]" in out and "RAW on bytes 0x0..0xfff of %t0 after tload in line" in out
    assert "synchronisation: nothing inserted (--sync ideal)" in npusim("run", tmp_path / "k.pto", "--show-sync", "--sync", "ideal").stdout
    assert "synchronisation" not in npusim("run", tmp_path / "k.pto").stdout
