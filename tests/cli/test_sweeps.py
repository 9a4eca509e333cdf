"""The recipes of docs/sweeps.md, as they stand there: spreading, interruption, merging."""
import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from harness import NPUSIM, ROOT, npusim

pytestmark = pytest.mark.skipif(not shutil.which("parallel"), reason="the Debian package parallel is not installed")
SCRIPTS = {m[1]: m[2] for m in re.finditer(r"```sh\n# (\w+\.sh)\n(.*?)```", (ROOT / "docs" / "sweeps.md").read_text(), re.S)}
PARTS = 24


@pytest.fixture
def folder(tmp_path):
    """A table of shapes, its parts and HOME of its own (parallel keeps state there)."""
    with open(tmp_path / "shapes.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["target", "op", "dtype", "rows", "cols"])
        for k in range(PARTS * 10):
            out.writerow([("a2a3", "950")[k % 2], ("tmins", "trowargmin", "tpartmax")[k % 3], "f32", 1 + k % 40, 8 * (1 + k)])
    (tmp_path / "home").mkdir()
    sh(tmp_path, "split.sh")
    return tmp_path


def environment(folder, **more):
    return {**os.environ, "NPUSIM": NPUSIM, "ROWS": "10", "HOME": str(folder / "home"), "LC_ALL": "C", **more}


def sh(folder, name, **more):
    return subprocess.run(["sh", "-c", SCRIPTS[name]], cwd=folder, env=environment(folder, **more), check=True, timeout=120,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def single_run(folder):
    done = npusim("profile", "--batch", folder / "shapes.csv")
    assert done.returncode == 0
    return done.stdout


def slow(folder):
    """npusim that takes its time, so that a test can interrupt it."""
    path = folder / "slow"
    path.write_text(f'#!/bin/sh\nsleep 0.15\nexec "{NPUSIM}" "$@"\n')
    path.chmod(0o755)
    return str(path)


def log_of(folder):
    with open(folder / "parts" / "log") as f:
        return list(csv.DictReader(f, delimiter="\t"))


def test_every_recipe_is_tested():
    assert set(SCRIPTS) == {"split.sh", "run.sh", "hosts.sh", "array.sh", "merge.sh", "traces.sh", "changes.sh"}


def test_split(folder):
    parts = sorted((folder / "parts").glob("in.*.csv"))
    assert len(parts) == PARTS
    head, *rows = (folder / "shapes.csv").read_text().splitlines()
    assert [p.read_text().splitlines()[0] for p in parts] == [head] * PARTS
    assert [line for p in parts for line in p.read_text().splitlines()[1:]] == rows


def test_parallel_gives_the_same_file(folder):
    sh(folder, "run.sh")
    sh(folder, "merge.sh")
    assert (folder / "costs.csv").read_text() == single_run(folder)
    assert [r["Exitval"] for r in log_of(folder)] == ["0"] * PARTS


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_and_resumed(folder, how):
    job = subprocess.Popen(["sh", "-c", SCRIPTS["run.sh"]], cwd=folder, env=environment(folder, NPUSIM=slow(folder)), start_new_session=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    log = folder / "parts" / "log"
    until = time.time() + 60
    while not (log.exists() and len(log.read_text().splitlines()) > 4):
        assert job.poll() is None and time.time() < until
        time.sleep(0.02)
    os.killpg(job.pid, how)
    job.wait(timeout=60)
    done = len(list((folder / "parts").glob("out.*.csv")))
    assert 0 < done < PARTS
    assert subprocess.run(["sh", "-c", SCRIPTS["merge.sh"]], cwd=folder, env=environment(folder), stderr=subprocess.DEVNULL).returncode == 1
    before = {p: p.stat().st_mtime_ns for p in (folder / "parts").glob("out.*.csv")}
    finished = {r["Seq"] for r in log_of(folder) if r["Exitval"] == "0" and r["Signal"] == "0"}
    sh(folder, "run.sh")
    sh(folder, "merge.sh")
    assert (folder / "costs.csv").read_text() == single_run(folder)
    for seq in finished:  # what was done is not done again
        out = folder / "parts" / f"out.{int(seq) - 1:04d}.csv"
        assert before[out] == out.stat().st_mtime_ns


def test_hosts(folder):
    """Two hosts that see the same folder; ssh is replaced by a shell on this one, with SHELL set as sshd sets it."""
    ssh = folder / "ssh"
    ssh.write_text('#!/bin/sh\nexport SHELL=/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\necho "$1" >> "$HOME/hosts"\nshift\n[ "$1" != -- ] || shift\nexec sh -c "$*"\n')
    ssh.chmod(0o755)
    sh(folder, "hosts.sh", PARALLEL_SSH=str(ssh))
    sh(folder, "merge.sh")
    assert (folder / "costs.csv").read_text() == single_run(folder)
    assert set((folder / "home" / "hosts").read_text().split()) == {"alpha", "beta"}


def test_slurm_array(folder):
    """Every task as Slurm starts it; a second submission only does what is missing."""
    for task in range(PARTS):
        sh(folder, "array.sh", SLURM_ARRAY_TASK_ID=str(task))
    (folder / "parts" / "out.0003.csv").unlink()
    kept = folder / "parts" / "out.0004.csv"
    before = kept.stat().st_mtime_ns
    for task in range(PARTS):
        sh(folder, "array.sh", SLURM_ARRAY_TASK_ID=str(task))
    assert kept.stat().st_mtime_ns == before
    sh(folder, "merge.sh")
    assert (folder / "costs.csv").read_text() == single_run(folder)


def test_traces_and_changes(folder):
    shutil.copytree(ROOT / "traces" / "data", folder / "traces" / "data")
    for name in ("clamp", "row_argmin"):
        shutil.copy(ROOT / "traces" / f"{name}.pto", folder / "traces")
    sh(folder, "traces.sh")
    reports = sorted(p.stem for p in (folder / "reports").glob("*.json"))
    assert reports == sorted(p.stem for p in (folder / "traces").glob("*.pto"))
    (folder / "reports" / "log").unlink()
    shutil.copytree(folder / "reports", folder / "before")
    shutil.move(folder / "reports", folder / "after")
    same = sh(folder, "changes.sh")
    assert same.stdout.count("no instruction changed") == len(reports)
    worse = json.loads((folder / "after" / "clamp.json").read_text())
    worse["cycles"] *= 2
    (folder / "after" / "clamp.json").write_text(json.dumps(worse))
    with pytest.raises(subprocess.CalledProcessError) as failed:
        sh(folder, "changes.sh")
    assert failed.value.returncode == 1 and "[CYCLES]" in failed.value.stderr
