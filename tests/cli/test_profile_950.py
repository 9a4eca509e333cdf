"""What `npusim profile` shows of a vector function: the bounds of its loops, the carried chain, its lines."""
import re

from harness import npusim


def profile(*args):
    done = npusim("profile", "--target", "950", *args)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(text, head):
    """Cells of the table below the line that starts with `head`."""
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if line.lstrip().startswith(head))
    out = []
    for line in lines[at + 1:]:
        if not re.match(r"\s*\d", line):
            break
        out.append(re.split(r"\s{2,}", line.strip()))
    return out


def test_running_best_of_a_row_is_the_chain():
    text = profile("--op", "trowargmin", "--shape", "16x256")
    assert "carried chain of 4.00 cycles per iteration: vcmp_gt p2 -> vsel v1" in text
    (loop,) = rows(text, "loop over lines")
    assert loop[1] == "64" and loop[-2:] == ["4.00", "4.00"]


def test_independent_iterations_have_no_chain():
    text = profile("--op", "tadd", "--shape", "16x256")
    assert "no result is carried from iteration to iteration" in text
    (loop,) = rows(text, "loop over lines")
    assert loop[5:8] == ["1.00", "1.00", "1.50"]  # loads, stores, banks


def test_lines_add_up():
    text = profile("--op", "tmins", "--shape", "10x640", "--tile", "10x672")
    lines = rows(text, "line  operation")
    assert [cells[1].split()[0] for cells in lines] == ["plt", "vlds", "vmins", "vsts"]
    assert {cells[2] for cells in lines} == {"100"}
    cycles = int(re.search(r"vector function: ([\d,]+) cycles", text).group(1).replace(",", ""))
    assert max(int(cells[4].replace(",", "")) for cells in lines) == cycles - 12  # the drain
