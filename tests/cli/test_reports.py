"""Profile, compare, lower and the files for other tools: every form of one run shows the same numbers."""
import csv
import io
import json
import re
import xml.dom.minidom
from collections import defaultdict
from html.parser import HTMLParser

import pytest

from harness import ROOT, TARGETS, npusim, report, tile_type

TRACES = sorted(p.stem for p in (ROOT / "traces").glob("*.pto"))
F32 = tile_type("f32", 4, 64)
FLAGS = ROOT / "tests" / "errors" / "flags_right.pto"
NAN = ROOT / "tests" / "errors" / "nan_partarg_950_library.pto"
U8 = ROOT / "tests" / "errors" / "dtype_tmins_u8_a2a3.pto"


def chain(n):
    """n instructions over four tiles, each on the result of the one before."""
    lines = [f"%{t} = pto.alloc_tile : {F32}" for t in "abcd"] + ["//! init %a = random(seed=1)", "%s = arith.constant 1.5 : f32"]
    lines += [f"pto.tmins ins(%{'abcd'[i % 4]}, %s : {F32}, f32) outs(%{'bcda'[i % 4]} : {F32})" for i in range(n)]
    return "\n".join(lines) + "\n"


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def number(text):
    return int(text.replace(",", ""))


class Page(HTMLParser):
    """Tables of the page, each a list of rows of cell texts (the source line below an instruction left out)."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.cards, self.cell, self.depth, self.links = [], {}, None, 0, []
        self.card = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.links += [v for k, v in attrs if k in ("src", "href")] + ([tag] if tag in ("script", "link", "img", "iframe") else [])
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.cell = ""
        elif tag == "div" and self.cell is not None:
            self.depth += 1
        elif tag == "b":
            self.card = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.tables[-1][-1].append(self.cell)
            self.cell = None
        elif tag == "div" and self.cell is not None:
            self.depth -= 1

    def handle_data(self, data):
        if self.cell is not None and not self.depth:
            self.cell += data
        elif self.card == "":
            self.card = data
        elif self.card and data.strip():
            self.cards[data] = self.card
            self.card = None

    def table(self, *columns):
        found = [t for t in self.tables if all(c in t[0] for c in columns)]
        assert len(found) == 1, columns
        return [dict(zip(found[0][0], row)) for row in found[0][1:]]


class Run:
    """All forms of one profile."""

    def __init__(self, trace, target, folder):
        base = ("profile", trace, "--target", target, "--quiet")
        self.json = report(*base)
        self.run = report("run", trace, "--target", target, "--quiet")
        text = npusim(*base, "--top", 1000)
        assert text.returncode == 0 and "\033" not in text.stdout
        self.text = text.stdout
        self.csv = rows_of(npusim("run", trace, "--target", target, "--quiet", "--report", "csv").stdout)
        self.groups = rows_of(npusim(*base, "--report", "csv").stdout)
        done = npusim(*base, "--report", "html", "--timeline", folder / "t.json", "--vcd", folder / "t.vcd", "--tables", folder / "tables")
        assert done.returncode == 0, done.stderr
        self.html = done.stdout
        self.page = Page(done.stdout)
        self.timeline = json.loads((folder / "t.json").read_text())
        self.vcd = (folder / "t.vcd").read_text()
        self.tables = {p.name: rows_of(p.read_text()) for p in (folder / "tables").iterdir()}
        self.slices = [e for e in self.timeline["traceEvents"] if e["ph"] == "X"]


@pytest.fixture(scope="module", params=[(t, g) for t in TRACES for g in TARGETS], ids=lambda p: "-".join(p))
def one(request, tmp_path_factory):
    trace, target = request.param
    return Run(ROOT / "traces" / f"{trace}.pto", target, tmp_path_factory.mktemp("report"))


# ---- one run, every form ----

def test_totals_agree(one):
    j = one.json
    for key in ("cycles", "uops", "instruction_count", "pipes", "cycles_by_provenance", "instructions"):
        assert j[key] == one.run[key]
    head = re.search(r"^([\d,]+) cycles = ([\d.]+) us, ([\d,]+) instructions, ([\d,]+) micro-ops$", one.text, re.M)
    assert [number(head[k]) for k in (1, 3, 4)] == [j["cycles"], j["instruction_count"], j["uops"]]
    assert head[2] == f"{j['time_us']:.3f}"
    cards = one.page.cards
    assert number(cards["cycles"]) == j["cycles"] and cards["time"] == f"{j['time_us']:.3f} us"
    assert number(cards["instructions"]) == j["instruction_count"] and number(cards["micro-ops"]) == j["uops"]
    assert number(cards["bank conflict cycles"]) == j["ub"]["bank_conflict_cycles"]
    assert cards["vector utilisation"] == f"{100 * j['profile']['vector_work_cycles'] / j['cycles']:.1f} %" in one.text
    assert number(cards["UB bytes, peak"].split()[0]) == j["ub"]["peak"]
    summary = one.tables["pipeline_summary.csv"][0]
    assert int(summary["total_cycles"]) == j["cycles"] and int(summary["uops"]) == j["uops"]
    assert one.timeline["otherData"]["cycles"] == j["cycles"]
    assert int(re.findall(r"^#(\d+)$", one.vcd, re.M)[-1]) == j["cycles"]
    assert sum(j["cycles_by_provenance"].values()) == j["cycles"]


def test_instructions_agree(one):
    rows = one.json["instructions"]
    assert len(rows) == len(one.csv) == len(one.slices) == len(one.groups)
    bars = {int(m[1]): (int(m[2]), int(m[3])) for m in re.finditer(r"^(\d+) .*\|\s+(\d+)\s+(\d+)$", one.text, re.M)}
    page = {number(r["index"]): r for r in one.page.table("index", "start-up", "throughput")}
    groups = {int(r["index"]): r for r in one.groups}
    for r, c, s in zip(rows, one.csv, one.slices):
        a, p, g = s["args"], page[r["index"]], groups[r["index"]]
        assert r["cycles"] == r["end"] - r["start"] == int(c["cycles"]) == s["dur"] == number(p["cycles"]) == int(g["cycles"])
        assert r["start"] == int(c["start"]) == s["ts"] == bars[r["index"]][0]
        assert r["end"] == int(c["end"]) == s["ts"] + s["dur"] == bars[r["index"]][1]
        assert r["wait_cycles"] == int(c["wait_cycles"]) == a["wait"] == number(p["wait"]) == sum(r["wait_for"].values()) == int(g["wait"])
        assert r["uops"] == int(c["uops"]) == a["uops"] == number(p["uops"]) == int(g["uops"])
        assert r["repeats"] == int(c["repeats"]) == a["repeats"] == number(p["repeats"])
        assert r["line"] == int(c["line"]) == a["line"] == int(p["line"])
        assert r["startup_cycles"] + r["throughput_cycles"] == r["cycles"]
        assert r["startup_cycles"] == a["startup"] == number(p["start-up"]) == int(g["start_up"])
        assert r["bytes_read"] + r["bytes_written"] == number(p["bytes"])
        assert sum(x["cycles"] for x in r["stages"]) == r["cycles"]
        assert a["critical_path_cycles"] == number(p["on path"]) == int(g["on_path"])
        assert r["confidence"] == c["confidence"] == a["confidence"] == p["confidence"]


def test_pipes_agree(one):
    page = {r["pipe"]: r for r in one.page.table("pipe", "busy cycles")}
    text = {m[1]: m for m in re.finditer(r"^(V|MTE2|MTE3|S) +([\d,]+) +[\d.]+ % +([\d,]+) +([\d,]+)", one.text, re.M)}
    summary = one.tables["pipeline_summary.csv"][0]
    column = {"V": "vec_cycles", "MTE2": "mte2_aiv_cycles", "MTE3": "mte3_cycles", "S": "scalar_cycles"}
    for name, p in one.json["pipes"].items():
        assert p["busy"] == int(summary[column[name]])
        assert p["busy"] == vcd_busy(one.vcd).get(name, 0)
        if p["instructions"]:
            assert number(page[name]["busy cycles"]) == number(text[name][2]) == p["busy"]
            assert number(page[name]["throughput"]) == number(text[name][3]) == p["throughput"]
            assert number(page[name]["wait"]) == number(text[name][4]) == p["wait"]
    assert int(summary["busy_cycles"]) == sum(p["busy"] for p in one.json["pipes"].values())


def vcd_busy(text):
    """Cycles for which `busy` of each pipe is 1."""
    scope, code, now, since, total = [], {}, 0, {}, defaultdict(int)
    for line in text.splitlines():
        words = line.split()
        if line.startswith("$scope"):
            scope.append(words[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var") and words[4] == "busy":
            code[words[3]] = scope[-1]
        elif line.startswith("#"):
            assert int(line[1:]) >= now
            now = int(line[1:])
        elif line[:1] in "01" and line[1:] in code:
            name = code[line[1:]]
            if line[0] == "1":
                since.setdefault(name, now)
            elif name in since:
                total[name] += now - since.pop(name)
    assert not since
    return total


def test_critical_path_adds_up(one):
    p = one.json["profile"]["critical_path"]
    steps = p["steps"]
    assert p["lead_in"] + sum(s["gap"] + s["cycles"] for s in steps) + p["tail"] == one.json["cycles"]
    rows = one.json["instructions"]
    starts = [rows[s["index"]]["start"] for s in steps]
    assert starts == sorted(starts) and starts[0] == p["lead_in"]
    for before, now in zip(steps, steps[1:]):
        assert rows[before["index"]]["start"] + before["cycles"] + now["gap"] == rows[now["index"]]["start"]
    page = one.page.table("held up by")
    assert [number(r["cycles"]) for r in page] == [s["cycles"] for s in steps]
    bottleneck = one.json["profile"]["bottlenecks"][0]
    assert f"bottleneck: {bottleneck['what']}\n  smallest change: {bottleneck['change']}" in one.text
    assert 0 < bottleneck["cycles"] <= one.json["cycles"] and bottleneck["what"] in re.sub("&quot;", '"', one.html)


@pytest.mark.parametrize("by", ["op", "line", "stage"])
def test_groups_add_up(by):
    trace = ROOT / "traces" / "clamp.pto"
    j = report("profile", trace, "--by", by)
    rows = rows_of(npusim("profile", trace, "--by", by, "--report", "csv").stdout)
    groups = j["profile"]["groups"]
    assert [int(r["cycles"]) for r in rows] == [g["cycles"] for g in groups] == sorted((g["cycles"] for g in groups), reverse=True)
    assert sum(g["cycles"] for g in groups) == sum(i["cycles"] for i in j["instructions"])
    text = npusim("profile", trace, "--by", by).stdout
    for g in groups:
        assert re.search(rf"\b{g['cycles']}\b", text)


def test_tables_for_scripts(one):
    instr, code, summary = (one.tables[n] for n in ("instr_exe.csv", "code_exe.csv", "pipeline_summary.csv"))
    assert list(instr[0])[:7] == ["instr", "addr", "pipe", "call_count", "cycles", "running_time(us)", "detail"]
    assert list(code[0]) == ["code", "call_count", "cycles", "running_time(us)"]
    assert list(summary[0])[:16] == ["op_name", "core_id", "unit", "total_cycles", "active_start_cycle", "active_end_cycle", "active_cycles",
                                     "busy_cycles", "scalar_cycles", "mte2_aic_cycles", "mte2_aiv_cycles", "mte1_cycles", "cube_cycles",
                                     "fixp_cycles", "vec_cycles", "mte3_cycles"]
    total = sum(i["cycles"] for i in one.json["instructions"])
    assert sum(int(r["cycles"]) for r in instr) == sum(int(r["cycles"]) for r in code) == total
    assert sum(int(r["call_count"]) for r in instr) == sum(int(r["call_count"]) for r in code) == len(one.json["instructions"])
    assert {r["pipe"] for r in instr} <= {"SCALAR", "VECTOR", "MTE2", "MTE3"}
    per_line = defaultdict(int)
    for i in one.json["instructions"]:
        per_line[i["line"]] += i["cycles"]
    assert {int(r["code"].rpartition(":")[2]): int(r["cycles"]) for r in code} == per_line


@pytest.mark.parametrize("target,depth", [("a2a3", "a2a3.queue_depth=2"), ("950", "950.queue_depth=2")])
@pytest.mark.parametrize("trace", ["clamp", "wide_argmin"])
def test_causes_do_not_depend_on_the_quantum(trace, target, depth):
    args = ("profile", ROOT / "traces" / f"{trace}.pto", "--target", target, "--report", "json", "--set", depth)
    runs = [npusim(*args, "--quantum", q) for q in (0, 1, 5)]
    assert runs[0].returncode == 0, runs[0].stderr
    assert len({r.stdout for r in runs}) == 1


# ---- Chrome trace events ----

def check_structure(timeline):
    """Slices of a track are disjoint, arrows are pairs between slices and go forward, counters are plain numbers."""
    events = timeline["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
    tracks = defaultdict(list)
    for e in events:
        assert e["ph"] in "MXsfC" and e["pid"] == 0
        if e["ph"] == "X":
            assert e["tid"] in names and e["dur"] >= 0
            tracks[e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
        if e["ph"] == "C":
            assert all(isinstance(v, int) and v >= 0 for v in e["args"].values())
    for slices in tracks.values():
        slices.sort()
        assert all(a[1] <= b[0] for a, b in zip(slices, slices[1:]))
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert starts.keys() == ends.keys() and len(starts) == sum(e["ph"] == "s" for e in events)
    for k, s in starts.items():
        f = ends[k]
        assert f["bp"] == "e" and s["ts"] <= f["ts"] and (s["name"], s["cat"]) == (f["name"], f["cat"])
        for e in (s, f):
            assert any(a <= e["ts"] < b for a, b in tracks[e["tid"]])
    return starts


def test_timeline_structure(one):
    arrows = check_structure(one.timeline)
    assert arrows
    counters = {e["name"] for e in one.timeline["traceEvents"] if e["ph"] == "C"}
    assert "UB bytes in use" in counters and any("queue depth" in c for c in counters)
    assert all(e["args"]["source"].startswith(f"pto.{e['name']}") and e["args"]["uop"] for e in one.slices)


def test_written_flags_are_arrows(tmp_path):
    done = npusim("run", FLAGS, "--timeline", tmp_path / "t.json")
    assert done.returncode == 0
    arrows = check_structure(json.loads((tmp_path / "t.json").read_text()))
    assert [a["name"] for a in arrows.values()] == ["flag", "flag"]
    rows = report("profile", FLAGS)["instructions"]
    assert rows[1]["wait_for"]["flag"] == rows[1]["wait_cycles"] > 0


# ---- page and waveform ----

def test_page_needs_no_other(one):
    assert one.page.links == []
    assert not re.search(r"https?://|@import|url\(", one.html)
    assert "prefers-color-scheme: dark" in one.html and "@media print" in one.html
    for svg in re.findall(r"<svg.*?</svg>", one.html, re.S):
        xml.dom.minidom.parseString(svg)


def test_page_escapes(tmp_path):
    trace = tmp_path / "a&b<c>.pto"
    trace.write_text(f"%x = pto.alloc_tile : {F32}\n//! init %x = iota\n%s = arith.constant 1.0 : f32\n"
                     f"pto.tmins ins(%x, %s : {F32}, f32) outs(%x : {F32}) // <b>&\n")
    page = npusim("run", trace, "--report", "html").stdout
    assert "a&amp;b&lt;c&gt;.pto" in page and "<c>" not in page and "<b>&\n" not in page


# ---- sizes ----

def test_empty(tmp_path):
    (tmp_path / "e.pto").write_text("")
    files = ("--timeline", tmp_path / "t.json", "--vcd", tmp_path / "t.vcd", "--tables", tmp_path)
    for form in ("text", "json", "csv", "html"):
        for command in ("run", "profile"):
            done = npusim(command, tmp_path / "e.pto", "--report", form, *files)
            assert done.returncode == 0 and not done.stderr
    check_structure(json.loads((tmp_path / "t.json").read_text()))
    assert vcd_busy((tmp_path / "t.vcd").read_text()) == {}
    assert npusim("compare", tmp_path / "e.pto").returncode == npusim("lower", tmp_path / "e.pto").returncode == 0


def test_large(tmp_path):
    n = 100_000
    (tmp_path / "l.pto").write_text(chain(n))
    done = npusim("profile", tmp_path / "l.pto", "--report", "html", "--timeline", tmp_path / "t.json", "--vcd", tmp_path / "t.vcd",
                  "--tables", tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) < 2_000_000
    page = Page(done.stdout)
    cycles = number(page.cards["cycles"])
    assert number(page.cards["instructions"]) == n
    timeline = json.loads((tmp_path / "t.json").read_text())
    assert len(check_structure(timeline)) == 0  # one pipe: barriers, no flags
    slices = [e for e in timeline["traceEvents"] if e["ph"] == "X"]
    assert len(slices) == n and slices[-1]["ts"] + slices[-1]["dur"] == cycles
    assert int(rows_of((tmp_path / "pipeline_summary.csv").read_text())[0]["total_cycles"]) == cycles
    assert vcd_busy((tmp_path / "t.vcd").read_text())["V"] == number(page.table("pipe", "busy cycles")[0]["busy cycles"])
    assert sum(e["args"]["critical_path_cycles"] for e in slices) == cycles


# ---- options of the text ----

def test_window_and_top():
    trace = ROOT / "traces" / "clamp.pto"
    last = report("run", trace)["instructions"][-1]
    text = npusim("profile", trace, "--window", f"{last['start']}:").stdout
    bars = re.findall(r"^(\d+) .*\|\s+\d+\s+\d+$", text, re.M)
    assert bars == [str(last["index"])]
    assert len(re.findall(r"^\d+ .*\|\s+\d+\s+\d+$", npusim("profile", trace, "--top", "3").stdout, re.M)) == 3
    for bad in ("5", "9:3", "a:b", ":-1"):
        assert npusim("profile", trace, "--window", bad).returncode == 2


def test_colour_and_progress(tmp_path):
    trace = ROOT / "traces" / "clamp.pto"
    assert "\033[1m" in npusim("profile", trace, "--color", "always").stdout
    assert "\033" not in npusim("profile", trace, "--color", "always", "-o", tmp_path / "x").stdout
    assert npusim("profile", trace, "--progress", "always").stderr == ""  # shorter than a second
    (tmp_path / "l.pto").write_text(chain(20_000))
    assert npusim("run", tmp_path / "l.pto").stderr == ""  # no terminal


def test_two_targets_are_for_compare():
    done = npusim("profile", ROOT / "traces" / "clamp.pto", "--target", "a2a3", "--target", "950")
    assert done.returncode == 2 and "compare" in done.stderr


# ---- lower ----

@pytest.mark.parametrize("target", TARGETS)
def test_lower(target):
    trace = ROOT / "traces" / "row_argmin.pto"
    done = npusim("lower", trace, "--target", target)
    assert done.returncode == 0 and done.stdout == npusim("lower", trace, "--target", target).stdout
    rows = report("run", trace, "--target", target)["instructions"]
    blocks = re.split(r"^(?=\d+: )", done.stdout, flags=re.M)[1:]
    assert blocks.pop().startswith("32: return\n")  # the barrier that --sync auto puts there
    for block, r in zip(blocks, rows, strict=True):
        head, *lines = [x for x in block.splitlines() if not x.startswith("#")]
        assert head == f"{r['line']}: {r['op']} {r['dtype']} {r['shape']} [{r['start']}, {r['end']})"
        own = [re.match(r"  \[ *(\d+), +(\d+)\)  (S|V|MTE2|MTE3|ALL) +(.*)", x) for x in lines if re.match(r"  \[.*\)  [SVMA]", x)]
        ends = [int(m[2]) for m in own if not m[4].startswith("sync ")]
        assert max(ends) == r["end"]
        if target == "a2a3":
            assert len(ends) == r["uops"]
            assert all("mask=" in m[4] for m in own if m[4].split()[-1] and re.search(r"\b(vcmin|vreducev2) ", m[4].split("  ")[-1]))
    assert done.stdout.splitlines()[-1].startswith(f"# {rows[-1]['end']} cycles")


def test_lower_without_cycles_ignores_timing():
    trace = ROOT / "traces" / "clamp.pto"
    plain = npusim("lower", trace, "--no-cycles").stdout
    assert plain == npusim("lower", trace, "--no-cycles", "--set", "store.startup=999").stdout
    assert npusim("lower", trace).stdout != npusim("lower", trace, "--set", "store.startup=999").stdout
    assert "[" not in plain.splitlines()[1]


# ---- compare ----

@pytest.mark.parametrize("trace", TRACES)
def test_compare_adds_up(trace):
    path = ROOT / "traces" / f"{trace}.pto"
    j = report("compare", path)
    for k, side in enumerate("ab"):
        single = report("run", path, "--target", TARGETS[k])
        assert j["cycles"][k] == single["cycles"]
        rows = [r[side] for r in j["instructions"] if r[side]]
        assert [r["cycles"] for r in rows] == [i["cycles"] for i in single["instructions"]]
        assert sum(r["in_total"] for r in rows) + j["issue_and_flags"][k] == single["cycles"]
    table = rows_of(npusim("compare", path, "--report", "csv").stdout)
    assert [sum(int(r[c] or 0) for r in table) for c in ("in_total_a", "in_total_b")] == j["cycles"]
    text = npusim("compare", path).stdout
    total = re.search(r"^ +total .* (\d+) +(\d+) +([+-][\d,]+|0)$", text, re.M)
    assert [int(total[1]), int(total[2])] == j["cycles"] and number(total[3]) == j["cycles"][1] - j["cycles"][0]
    shown = re.findall(r" (\d+) +(\d+) +(?:[+-][\d,]+|0)$", text, re.M)
    assert [sum(int(x[k]) for x in shown[:-1]) for k in (0, 1)] == j["cycles"]


def test_compare_says_why():
    text = npusim("compare", ROOT / "traces" / "row_argmin.pto").stdout
    assert re.search(r"950 is [\d.]+ times faster in time", text)
    assert re.search(r"trowargmin: 950 is faster by [\d,]+ cycles: a2a3 works through tmp in \d+ stages .* registers", text)
    assert "start-up" in text and "equal on both" in text
    assert "only on 950, line 29: note: trowargmin: tmp" in text


def test_compare_legality():
    done = npusim("compare", U8)
    assert done.returncode == 1 and "only on a2a3, line 5: error" in done.stdout and "[DTYPE]" in done.stdout


def test_compare_conformance_shows_results():
    done = npusim("compare", NAN, "--conformance", "--target", "950", "--quiet")
    assert "on document" in done.stdout and re.search(r"%k: \d+ of 8 elements differ, first in row 0, column \d+.*; largest difference [\d.]+$", done.stdout, re.M)
    j = json.loads(npusim("compare", NAN, "--conformance", "--target", "950", "--report", "json").stdout)
    assert (j["a"], j["b"]) == ("document", "library") and any(r.startswith("%k") for r in j["results"])


def test_compare_usage(tmp_path):
    trace = ROOT / "traces" / "clamp.pto"
    for bad in (["-"], [trace, "--target", "950"], [trace, "--conformance", "--target", "a2a3", "--target", "950"], [trace, trace]):
        assert npusim("compare", *bad, stdin="").returncode == 2


def test_compare_saved(tmp_path):
    trace = ROOT / "traces" / "clamp.pto"
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    npusim("run", trace, "--report", "json", "-o", old)
    npusim("profile", trace, "--report", "json", "-o", new, "--set", "store.startup=300")
    before, after = json.loads(old.read_text()), json.loads(new.read_text())
    j = report("compare", old, new)
    assert j["cycles"] == [before["cycles"], after["cycles"]]
    changed = j["instructions"]["changed"]
    assert changed and all(c["instruction"].startswith("tstore") for c in changed)
    growth = 100 * (after["cycles"] - before["cycles"]) / before["cycles"]
    assert abs(j["growth_percent"] - growth) < 1e-6
    assert npusim("compare", old, new, "--fail-above", f"{growth + 1}%").returncode == 0
    failed = npusim("compare", old, new, "--fail-above", f"{growth - 1:.3f}")
    assert failed.returncode == 1 and "[CYCLES]" in failed.stderr and "tstore" in failed.stdout
    assert npusim("compare", old, old, "--fail-above", "0%").returncode == 0
    assert npusim("compare", old, new, "--fail-above", "much").returncode == 2
    for bad in ("", "{}", "[]", '{"schema": 1}', '{"schema": "npusim-report/1"}', '{"schema": "npusim-report/1", "target": "x", "cycles": "many", "instructions": []}',
                '{"schema": "npusim-report/1", "target": "x", "cycles": 1, "instructions": [{}]}', "[" * 100000, old.read_text()[:-9]):
        (tmp_path / "bad.json").write_text(bad)
        done = npusim("compare", old, tmp_path / "bad.json")
        assert done.returncode == 2 and "bad.json" in done.stderr and not done.stdout


def test_compare_saved_finds_a_new_instruction(tmp_path):
    files = []
    for n in (5, 6):
        files.append(tmp_path / f"{n}.json")
        npusim("run", "-", "--report", "json", "-o", files[-1], stdin=chain(n))
    rows = rows_of(npusim("compare", *files, "--report", "csv").stdout)
    assert [r["status"] for r in rows].count("new") == 1 and len(rows) == 6


# ---- sweeps ----

def test_sweep_forms_agree(tmp_path):
    args = ("profile", "--op", "trowargmin", "--dtype", "f16", "--rows", "16", "--sweep", "cols=64:4096:x2")
    points = json.loads(npusim(*args, "--report", "json").stdout)["points"]
    rows = rows_of(npusim(*args, "--report", "csv").stdout)
    text, svg = npusim(*args).stdout, npusim(*args, "--report", "svg").stdout
    assert len(points) == len(rows) == 14
    xml.dom.minidom.parseString(svg)
    for p, r in zip(points, rows):
        assert (p["target"], p["rows"], p["cols"], p["cycles"]) == (r["target"], int(r["rows"]), int(r["cols"]), int(r["cycles"]))
        assert p["startup_cycles"] + p["throughput_cycles"] == p["cycles"]
        assert re.search(rf"^ +16 +{p['cols']} +{p['cycles']} ", text, re.M)
        assert f"{p['target']} 16x{p['cols']}: {p['cycles']:,} cycles" in svg
        single = json.loads(npusim("profile", "--op", "trowargmin", "--dtype", "f16", "--shape", f"16x{p['cols']}", "--target", p["target"],
                                   "--report", "json").stdout)[0]
        assert single["cycles"] == p["cycles"] and single["uops"] == p["uops"]
        assert p.get("knee", "") == r["knee"]
        assert not r["knee"] or r["knee"] in text
    assert {p["cols"] for p in points if p["target"] == "a2a3" and "tmp tile is needed" in p.get("knee", "")} == {256}


@pytest.mark.parametrize("sweep,side,target,at,reason", [
    ("rows=150:400:+50", ("--cols", 9), "a2a3", 300, "255 repeats"),
    ("cols=64:72:+8", ("--rows", 4), "a2a3", 72, "mask"),
    ("cols=64:9000:x2", ("--rows", 16), "a2a3", None, "not legal from here")])
def test_knees_have_reasons(sweep, side, target, at, reason):
    done = npusim("profile", "--op", "tpartmax", "--dtype", "f32", "--sweep", sweep, *side, "--target", target, "--report", "csv")
    assert done.returncode == 0, done.stderr
    name = sweep.split("=")[0]
    knees = {int(r[name]): r["knee"] for r in rows_of(done.stdout) if r["knee"]}
    assert any(reason in k for k in knees.values()), knees
    if at:
        assert reason in knees[at]


def test_sweep_usage():
    base = ("profile", "--op", "tmins", "--dtype", "f32", "--rows", "4")
    for bad in ("cols", "cols=0:8", "cols=8:4", "cols=8:16:x1", "width=8:16", "cols=8:16:*2", "cols=8:16:+0"):
        assert npusim(*base, "--sweep", bad).returncode == 2
    assert npusim("profile", "--op", "tmins", "--sweep", "cols=8:16").returncode == 2
    assert npusim("profile", "--op", "tmin5", "--rows", "4", "--sweep", "cols=8:16").returncode == 2
