#!/usr/bin/env python3
"""How fast is npusim on this host?

Runs the program on generated and example traces and prints, per case, micro-operations a second and the
processor time as a multiple of a yardstick: the time in which zlib compresses a fixed text on the same
host. The multiple is what can be compared between hosts and days. With a second program each case also
gets the ratio of the two, run in turn.

    benchmark.py build/npusim [--against other/npusim] [--rounds N] [--lines N]
"""
import argparse
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile
import zlib

TILE = "!pto.tile_buf<vec, 4x64xf32>"  # four repeats of 256 bytes
TRACES = pathlib.Path(__file__).resolve().parent.parent / "traces"


def straight(line, n):
    head = [f"%t{i} = pto.alloc_tile : {TILE}" for i in range(4)] + ["%s = arith.constant 1.5 : f32"]
    head += [f"pto.texpands ins(%s : f32) outs(%t{i} : {TILE})" for i in range(4)]
    return "\n".join(head + [line.format(a=i % 4, b=(i + 1) % 4, T=TILE) for i in range(n)]) + "\n"


def loop(n):
    return f"""func.func @f() {{
  %a = pto.alloc_tile : {TILE}
  %b = pto.alloc_tile : {TILE}
  %s = arith.constant 1.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  pto.texpands ins(%s : f32) outs(%a : {TILE})
  scf.for %i = %c0 to %n step %c1 {{
    pto.tmins ins(%a, %s : {TILE}, f32) outs(%b : {TILE})
  }}
  return
}}
"""


def cases(folder, n):
    texts = {
        "straight": straight("pto.tmins ins(%t{a}, %s : {T}, f32) outs(%t{b} : {T})", n),
        "straight, short": straight("%t{b} = tmins %t{a}, %s", n),
        "loop": loop(n),
    }
    for name, text in texts.items():
        path = folder / (name.replace(", ", "-") + ".pto")
        path.write_text(text)
        for target in ("a2a3", "950"):
            yield f"{name} {target}", [str(path), "--target", target]
    for target in ("a2a3", "950"):
        yield f"row_argmin {target}", [str(TRACES / "row_argmin.pto"), "--target", target]


def processor_time(call):
    def used():
        me, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        return me.ru_utime + me.ru_stime + children.ru_utime + children.ru_stime

    before = used()
    out = call()
    return used() - before, out


def run(program, arguments):
    return processor_time(lambda: subprocess.run([program, "run", *arguments, "--quiet"], check=True, capture_output=True, text=True).stdout)


def yardstick():
    text = b"".join(b"%d * %d = %d\n" % (i, i, i * i) for i in range(200_000))
    return processor_time(lambda: zlib.compress(text, 6))[0]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("--against", metavar="PROGRAM")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--lines", type=int, default=300_000, help="instructions of a generated trace")
    o = p.parse_args()
    sticks, times, other, uops = [], {}, {}, {}
    with tempfile.TemporaryDirectory() as folder:
        all_cases = list(cases(pathlib.Path(folder), o.lines))
        for _ in range(o.rounds):
            sticks.append(yardstick())
            for name, arguments in all_cases:
                seconds, out = run(o.program, arguments)
                times.setdefault(name, []).append(seconds)
                uops[name] = int(re.search(r"([\d,]+) micro-ops", out)[1].replace(",", ""))
                if o.against:
                    other.setdefault(name, []).append(seconds / run(o.against, arguments)[0])
    stick = statistics.median(sticks)
    print(f"yardstick {stick:.3f} s (median of {o.rounds}; from {min(sticks):.3f} to {max(sticks):.3f})")
    print(f"{'case':22} {'micro-ops':>10} {'seconds':>8} {'million/s':>9} {'yardsticks':>10}" + ("  of other" if o.against else ""))
    for name, seconds in times.items():
        t = statistics.median(seconds)
        print(f"{name:22} {uops[name]:10,} {t:8.3f} {uops[name] / t / 1e6:9.2f} {t / stick:10.2f}" + (f" {statistics.median(other[name]):9.2f}" if o.against else ""))


main()
