#!/usr/bin/env python3
"""Runs random D scripts against random targets for hours, kills tracers and targets at random moments, and checks after
each round that nothing is left of them and that the counts of known workloads are exact. Needs root.

usage: soak.py --dscope PROGRAM --triggers FOLDER [--hours H | --rounds N] [--seed S]

Prints one line per round and a summary. Exits with 1 if a round failed. The seed repeats the choices of a run, but not
its moments.
"""
import argparse
import ctypes
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import kernel_objects as kernel
from memory_limit import MemoryLimit

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 120  # seconds within which a tracer ends and the kernel frees its objects, on a busy machine
# These scripts change the machine, or wait for input.
EXCLUDED = re.compile(r"destructive|system\s*\(|panic\s*\(|breakpoint\s*\(|raise\s*\(|stop\s*\(|chill\s*\(|freopen")
TARGETS = ["true", "sleep 0.3", "ls -R /etc", "dd if=/dev/zero of=/dev/null bs=64 count=20000",
           "sh -c 'for i in 1 2 3 4 5 6 7 8 9; do /bin/true; done'", "python3 -c pass"]


class Failure(Exception):
    """Something of the round is wrong."""


def wait_until(is_true):
    """The condition after it became true, or after PATIENCE seconds."""
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class Worker:
    """A process that lives through all rounds and checks its own results. Probes of it must not disturb it."""

    def __init__(self, triggers):
        self.process = subprocess.Popen([f"{triggers}/works", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask()
        self.pid = self.process.pid

    def ask(self):
        self.process.stdin.write(b"x")
        self.process.stdin.flush()
        numbers = re.findall(rb"\d+", self.process.stdout.readline())
        if len(numbers) != 3:
            raise Failure("the worker is dead")
        return [int(number) for number in numbers]

    def check(self):
        rounds, wrong, watched = self.ask()
        if wrong != 0:
            raise Failure(f"the worker had {wrong} wrong results in {rounds} rounds")
        if watched != 0:
            raise Failure(f"the semaphore of the worker's static probe is {watched}")
        if not wait_until(lambda: kernel.breakpoints(self.pid) == 0):
            raise Failure(f"{kernel.breakpoints(self.pid)} bytes of the worker's code are changed")


class Resident:
    """A tracer that runs through all rounds. Its number of descriptors must not grow."""

    PROGRAM = """syscall:::entry { @[execname] = count(); } proc:::exec-success { @e[pid] = count(); }
        profile-97 /pid == $1/ { @s[ustack(8)] = count(); } tick-100ms { clear(@); trunc(@); trunc(@e); trunc(@s); }
        BEGIN { printf("up\\n"); }"""

    def __init__(self, dscope, worker):
        command = [dscope, "-q", "-xstatusrate=1s", "-n", self.PROGRAM, str(worker.pid)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if self.process.stdout.readline() != b"up\n":
            raise Failure("the resident tracer does not start")
        self.pid, self.descriptors = self.process.pid, None

    def check(self):
        if self.process.poll() is not None:
            raise Failure(f"the resident tracer ended with status {self.process.returncode}")
        if self.descriptors is None:
            self.descriptors = kernel.open_descriptors(self.pid)
        # The files of the worker stay open. Others are open for moments.
        added = lambda: kernel.open_descriptors(self.pid) - self.descriptors
        if not wait_until(lambda: added().total() <= 8):
            raise Failure(f"the resident tracer has opened {dict(added())}")

    def memory_mib(self):
        found = re.search(r"VmRSS:\s*(\d+)", kernel.read(f"/proc/{self.pid}/status"))
        return int(found[1]) // 1024 if found else 0

    def end(self):
        self.process.send_signal(signal.SIGINT)
        if not wait_until(lambda: self.process.poll() is not None) or self.process.returncode != 0:
            self.process.kill()
            raise Failure(f"the resident tracer ended with status {self.process.returncode}")


# ---------------------------------------------------------------- rounds

class Soak:
    def __init__(self, options):
        self.dscope, self.triggers = options.dscope, options.triggers
        self.random = random.Random(options.seed)
        self.worker = Worker(options.triggers)
        self.resident = Resident(options.dscope, self.worker)
        folders = [ROOT / "tests/golden/check_ok", ROOT / "tests/golden/ir", ROOT / "tests/golden/plan", ROOT / "tools"]
        scripts = [path for folder in folders for path in sorted(folder.rglob("*.d"))]
        self.scripts = [path for path in scripts if not EXCLUDED.search(path.read_text(errors="replace"))]
        self.output = tempfile.TemporaryFile()

    def start(self, arguments, limit):
        self.output.seek(0)
        self.output.truncate()
        return subprocess.Popen([self.dscope, *arguments], stdin=subprocess.DEVNULL, stdout=self.output,
                                stderr=subprocess.STDOUT, preexec_fn=limit.enter)

    def printed(self):
        self.output.seek(0)
        return self.output.read().decode(errors="replace")

    def finish(self, tracer, what):
        if not wait_until(lambda: tracer.poll() is not None):
            tracer.kill()
            tracer.wait()
            raise Failure(f"{what} does not end: {self.printed()[-300:]}")

    def check_status(self, tracer, signals=()):
        """0 and the statuses of errors are fine. So are signals that may have been ours."""
        if tracer.returncode < 0 and -tracer.returncode not in signals:
            raise Failure(f"ended by signal {-tracer.returncode}: {self.printed()[-300:]}")
        if tracer.returncode > 2:
            raise Failure(f"exit status {tracer.returncode}: {self.printed()[-300:]}")

    def random_script(self):
        """A script on a target. The tracer, its target, both or none of them are killed."""
        script, target = self.random.choice(self.scripts), self.random.choice(TARGETS + ["worker"])
        arguments = ["-q", "-Z", "-xdefaultargs", "-xerrtags", "-s", str(script)]
        arguments += ["-p", str(self.worker.pid)] if target == "worker" else ["-c", target]
        ending = self.random.choice(["end", "interrupt", "interrupt", "kill", "kill", "kill target"])
        limit = MemoryLimit(self.random.choice([None, None, None, 400, 200, 100, 40]))
        moment = self.random.uniform(0, 2) if self.random.random() < 0.5 else self.random.uniform(0, 0.2)
        tracer = self.start(arguments, limit)
        time.sleep(moment)
        if ending == "kill target" and target != "worker":
            for child in kernel.children_of(tracer.pid):
                stop(child)
        if ending == "kill":
            tracer.kill()
        elif ending == "interrupt" or target == "worker" or tracer.poll() is None:
            tracer.send_signal(signal.SIGINT)
        self.finish(tracer, script.name)
        limit.remove()
        # Before the handlers are installed, an interrupt ends the process. A memory limit may kill it.
        may_be_killed = ending == "kill" or limit.mib is not None
        self.check_status(tracer, [signal.SIGINT, signal.SIGKILL] if may_be_killed else [signal.SIGINT])
        return f"{script.relative_to(ROOT)} on {target.split()[0]}, {ending} after {moment:.2f} s, {limit}"

    def worker_probes(self):
        """Probes in the worker's functions; the tracer is killed at a random moment."""
        clause = self.random.choice([
            "pid$target:a.out:grind*:entry, pid$target:a.out:grind*:return { @[probefunc] = count(); }",
            "pid$target:a.out:grind_leaf: { @[probename] = count(); }", "mill$target:::ground { @ = sum(arg1 - arg0); }",
            "pid$target:libc:*alloc*:entry { @[ustack(4)] = count(); }"])
        tracer = self.start(["-q", "-p", str(self.worker.pid), "-n", clause], MemoryLimit(None))
        time.sleep(self.random.uniform(0, 1))
        number = self.random.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
        tracer.send_signal(number)
        self.finish(tracer, clause)
        self.check_status(tracer, [number])
        return f"{clause.split()[0]} in the worker, {signal.Signals(number).name}"

    def exact_counts(self):
        """A workload whose events are known. The other rounds may not run at the same time."""
        count, size = self.random.randint(1, 2000), self.random.choice([1, 512, 4096])
        write = f"dd if=/dev/zero of=/dev/null bs={size} count={count}"
        clause, target, wanted = self.random.choice([
            ("syscall::write:entry /pid == $target && arg0 == 1/ { @n = count(); @s = sum(arg2); }", write,
             [count, count * size]),
            ("pid$target:libc:write:entry /arg0 == 1/ { @n = count(); @s = sum(arg2); }", write, [count, count * size]),
            ("syscall::write:return /pid == $target/ { self->n++; @[self->n & 1] = count(); } "
             "syscall::write:entry /pid == $target && arg0 == 1/ { @n = count(); @s = sum(arg2); }", write,
             [count, count * size]),
            ("proc:::signal-send /args->signal == SIGUSR1 && pid == $target/ { @n = count(); @s = sum(args->signal); }",
             f"{self.triggers}/tasks signal {count}", [count, count * 10])])
        tracer = self.start(["-q", "-c", target, "-n", clause, "-n", 'END { printa("counts %@d %@d\\n", @n, @s); }'],
                            MemoryLimit(None))
        self.finish(tracer, clause)
        self.check_status(tracer)
        found = re.search(r"counts (-?\d+) (-?\d+)", self.printed())
        if found is None or [int(found[1]), int(found[2])] != wanted:
            raise Failure(f"{clause} of {target}: expected {wanted}: {self.printed()[-300:]}")
        return f"{count} events counted exactly by {clause.split()[0]}"

    def check_leftovers(self, before):
        # Targets of killed tracers run on, but nothing else of a tracer does.
        ours = (self.worker.pid, self.resident.pid)
        strays = lambda: [pid for pid in kernel.children_of(os.getpid()) if pid not in ours]
        for pid in strays():
            if (kernel.stat_of(pid) or ("",))[0] != "dscope":
                stop(pid)
        if not wait_until(lambda: not reap() and not strays()):
            names = [kernel.stat_of(pid) for pid in strays()]
            for pid in strays():
                stop(pid)
            raise Failure(f"processes are left: {names}")
        if not wait_until(lambda: not kernel.objects_without_holder(before)):
            raise Failure(f"BPF objects are left: {sorted(kernel.objects_without_holder(before))}")
        self.worker.check()
        self.resident.check()

    def round(self):
        before = kernel.all_objects()
        kind = self.random.choice([self.random_script, self.random_script, self.worker_probes, self.exact_counts])
        text = kind()
        self.check_leftovers(before)
        return text


def stop(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def reap():
    """Waits for orphans that have ended. True if there were any."""
    found = False
    for pid in kernel.children_of(os.getpid()):
        if (kernel.stat_of(pid) or ("", ""))[1] == "Z":
            try:
                found |= os.waitpid(pid, os.WNOHANG)[0] != 0
            except ChildProcessError:
                pass
    return found


def run_rounds(soak, options):
    start, number, failures = time.monotonic(), 0, 0
    while number < options.rounds if options.rounds else time.monotonic() - start < options.hours * 3600:
        number += 1
        began = time.monotonic()
        try:
            verdict = "ok     " + soak.round()
        except Failure as failure:
            failures += 1
            verdict = f"FAILED {failure}".replace("\n", "\\n")
        print(f"{number:6} {time.monotonic() - began:6.2f} s  {verdict}", flush=True)
    rounds, wrong, _ = soak.worker.ask()
    memory = soak.resident.memory_mib()
    try:
        soak.resident.end()
    except Failure as failure:
        failures += 1
        print(f"FAILED {failure}")
    print(f"soak: {number} rounds in {(time.monotonic() - start) / 60:.1f} minutes, {failures} failed; the worker computed "
          f"{rounds} rounds, {wrong} wrong; the resident tracer used {memory} MiB")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dscope", required=True)
    parser.add_argument("--triggers", required=True)
    parser.add_argument("--hours", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    if os.geteuid() != 0 or not os.path.exists("/sys/kernel/btf/vmlinux"):
        print("soak: needs root and a kernel with BPF")
        return 77
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    soak = Soak(options)
    print(f"soak: seed {options.seed}, {len(soak.scripts)} scripts, memory limits by {MemoryLimit.mechanism()}")
    try:
        return run_rounds(soak, options)
    finally:
        soak.worker.process.kill()
        soak.resident.process.kill()


if __name__ == "__main__":
    sys.exit(main())
