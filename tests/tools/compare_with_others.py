#!/usr/bin/env python3
"""Runs tools of dscope and the tools of bpftrace and bcc with the same purpose on the same loads, and compares them.

    compare_with_others.py --dscope PROGRAM --tools FOLDER --triggers FOLDER [NAME...]

Both tools of a pair trace the same load at the same time, so both should count the same events. Prints for each tool:
the number of events of the load that it reports, the seconds until it traces, and the longest line of its output for the
load. Tools that cannot run on this kernel are listed with the first line of their complaint. Exit status 1: dscope has
not counted all events of a load, or fewer than the other tool.
"""
import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

PATIENCE = 30  # seconds until a tool must trace


class Case(NamedTuple):
    name: str         # of our tool
    options: str      # of our tool
    load: str         # command; {T}: the triggers, {F}: a file that it may write
    events: int       # of the load; 0: unknown, the tools are compared with each other
    ours: str         # regular expression of our rows; group 1, if any, is a number of events
    bpftrace: str     # tool of bpftrace, or program text
    bpftrace_row: str
    bcc: str = ""     # tool of bcc with its options
    bcc_row: str = ""


PYTHON = "/usr/bin/python3"
CASES = [
    Case("opensnoop", "-n calls", "{T}/calls open /etc/hostname 500", 500, r"calls .*/etc/hostname$",
         "opensnoop.bt", r"calls .*/etc/hostname$", "opensnoop -n calls", r"calls .*/etc/hostname$"),
    Case("statsnoop", "", PYTHON + " -c 'import os\nfor i in range(200): os.path.exists(\"/no/such\")'", 200, r"/no/such$",
         "statsnoop.bt", r"/no/such$", "statsnoop", r"/no/such$"),
    Case("execsnoop", "", "sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do /bin/echo mark-$i; done; exit 0'", 10,
         r"/?echo mark-\d+$", "execsnoop.bt", r"echo mark-\d+$", "execsnoop", r"echo mark-\d+$"),
    Case("exitsnoop", "", "{T}/calls fork 50", 50, r"calls .*status 3$",
         "tracepoint:sched:sched_process_exit /comm == \"calls\" && pid == tid/ { printf(\"exit %s %d\\n\", comm, pid); }",
         r"exit calls", "exitsnoop", r"^calls .*code 3"),
    Case("killsnoop", "--signal=10", "{T}/tasks signal 100", 100, r"tasks +SIGUSR1", "killsnoop.bt", r"tasks +10 ",
         "killsnoop -s 10", r"tasks +10 "),
    Case("setuidsnoop", "", PYTHON + " -c 'import os\nfor i in range(20): os.setuid(0)'", 20, r"setuid +0 +0 0$",
         "setuids.bt", r"setuid +uid=0 \(0\)"),
    Case("threadsnoop", "", "{T}/calls threads 30 1", 30, r" calls +thread ", "threadsnoop.bt", r" calls ",
         "threadsnoop", r" calls "),
    Case("syscount", "-n calls", "{T}/calls getppid 5000", 5000, r"getppid +(\d+)",
         "tracepoint:syscalls:sys_enter_getppid /comm == \"calls\"/ { @ = count(); }", r"@: (\d+)",
         "syscount", r"^getppid +(\d+)"),
    Case("syncsnoop", "", "dd if=/dev/zero of={F} bs=4k count=3 conv=fsync", 1, r"dd +fsync", "syncsnoop.bt",
         r"dd .*fsync", "syncsnoop", r"fsync"),
    Case("capable", "-n python3", PYTHON + " -c 'import os\nfor i in range(10): os.chroot(\"/\")'", 10, r"SYS_CHROOT",
         "capable.bt", r"CAP_SYS_CHROOT", "capable", r"CAP_SYS_CHROOT"),
    Case("iosnoop", "", "{T}/tasks direct {F}", 32, r"tasks .* [RW] +4096 ", "biosnoop.bt", r" tasks ", "biosnoop",
         r"^\S+ +tasks "),
    Case("biostacks", "", "{T}/tasks direct {F}", 0, r"^ +tasks ", "biostacks.bt", r"@usecs"),
    Case("runqlat", "", "{T}/tasks sleep 200", 0, r"^tasks +\d+ +(\d+)", "runqlat.bt", r"@usecs", "runqlat 100 1",
         r"usecs"),
    Case("runqlen", "", "{T}/calls spin 1000", 0, r"^0 +\d+ +(\d+)", "runqlen.bt", r"@runqlen", "runqlen 100 1", r"runqlen"),
    Case("profile", "-F 99 -n calls", "{T}/calls spin 1000", 0, r"^ {12}\s*(\d+)$",
         "profile:hz:99 /comm == \"calls\"/ { @[kstack, ustack] = count(); @all = count(); }", r"@all: (\d+)",
         "profile -F 99 -f", r"^calls;.* (\d+)$"),
    Case("softirqs", "", "{T}/calls spin 500", 0, r"^TIMER +\d+ +(\d+)",
         "tracepoint:irq:softirq_entry /args->vec == 1/ { @ = count(); }", r"@: (\d+)", "softirqs -C 100 1",
         r"timer +(\d+)"),
    Case("hardirqs", "", "{T}/tasks direct {F}", 0, r"^virtio\S*req\S* +\d+ +(\d+)",
         "tracepoint:irq:irq_handler_entry { @[str(args->name)] = count(); }", r"@\[virtio\S*req\S*\]: (\d+)",
         "hardirqs -C 100 1", r"virtio\S*req\S* +(\d+)"),
    Case("tcpconnect", "", "{T}/sockets tcp", 1, r"^CONNECT .* sockets ", "tcpconnect.bt", r" sockets ", "tcpconnect",
         r" sockets "),
    Case("tcpaccept", "", "{T}/sockets tcp", 1, r" sockets ", "tcpaccept.bt", r" sockets ", "tcpaccept", r" sockets "),
    Case("tcplife", "-n sockets", "{T}/sockets tcp", 2, r" sockets ", "tcplife.bt", r" sockets ", "tcplife", r" sockets "),
    Case("tcpstates", "", "{T}/sockets tcp", 0, r" sockets .* 127\.77\.7\.",
         "tracepoint:sock:inet_sock_set_state /args->protocol == 6/ { printf(\"change %s\\n\", ntop(2, args->saddr)); }",
         r"change 127\.77", "tcpstates", r"127\.77\.7"),
    Case("gethostlatency", "", PYTHON + " -c 'import socket\nfor i in range(25): socket.getaddrinfo(\"127.0.0.1\", 80)'", 25,
         r"127\.0\.0\.1$", "gethostlatency.bt", r"127\.0\.0\.1$", "gethostlatency", r"127\.0\.0\.1$"),
    Case("bashreadline", "", "sh -c 'for i in 1 2 3 4 5; do echo : mark$i; done | bash --norc -i'", 5, r": mark\d$",
         "bashreadline.bt", r": mark\d$", "bashreadline", r": mark\d$"),
    Case("mountsnoop", "", "umount /no/such/mount/point", 1, r"/no/such/mount/point$",
         "tracepoint:syscalls:sys_enter_umount { printf(\"umount %s\\n\", str(args->name)); }", r"umount /no/such",
         "mountsnoop", r"/no/such"),
    Case("pagefaults", "-n calls", "{T}/calls touch 500", 0, r"^write +missing +(\d+)",
         "tracepoint:exceptions:page_fault_user /comm == \"calls\" && args->error_code == 6/ { @ = count(); }", r"@: (\d+)"),
    Case("filetop", "-n dd", "dd if=/dev/zero of={F} bs=4k count=100", 0, r"dd +\d+ +\d+ +(\d+) .*{F}",
         "tracepoint:syscalls:sys_exit_write /comm == \"dd\" && args->ret == 4096/ { @ = sum(args->ret); }", r"@: (\d+)",
         "filetop -C 100 1", r"dd "),
]


def words_of(tool):
    """The command of a tool of bcc, or nothing if it is not installed."""
    name, *options = tool.split()
    return [f"/usr/sbin/{name}-bpfcc", *options] if pathlib.Path(f"/usr/sbin/{name}-bpfcc").exists() else []


def is_remark(line):
    return not line.strip() or line.startswith(("Attaching", "WARNING", "ERROR: Unknown error -1"))


class Tracer:
    """A running tool. Its output goes to files, so that it never waits for a reader."""

    def __init__(self, kind, command, folder):
        self.kind, self.seconds = kind, None
        self.output, self.errors = pathlib.Path(folder) / kind, pathlib.Path(folder) / f"{kind}.errors"
        self.started = time.monotonic()
        with open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(command, stdout=output, stderr=errors, stdin=subprocess.DEVNULL,
                                            env={**os.environ, "PYTHONUNBUFFERED": "1", "BPFTRACE_STRLEN": "128"})

    def lines(self):
        return self.output.read_text(errors="replace").splitlines()

    def wait_until_ready(self):
        """A tool traces when it has printed its title."""
        while time.monotonic() - self.started < PATIENCE and self.process.poll() is None:
            if any(not is_remark(line) for line in self.lines()):
                self.seconds = time.monotonic() - self.started
                return True
            time.sleep(0.005)
        return False

    def complaint(self):
        text = self.errors.read_text(errors="replace") + self.output.read_text(errors="replace")
        reasons = [line for line in text.splitlines() if re.search(r"error|not permitted|cannot|failed|No such", line, re.I)
                   and not is_remark(line)]
        return (reasons or ["printed nothing"])[-1].strip()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Result(NamedTuple):
    events: int
    seconds: float
    width: int
    complaint: str = ""


def result_of(tracer, row):
    """What the tool has reported of the load: rows, or the sum of the numbers in them."""
    found = [(line, match) for line in tracer.lines() if (match := re.search(row, line))]
    events = sum(int(match.group(1)) if match.re.groups else 1 for _, match in found)
    return Result(events, tracer.seconds, max((len(line.rstrip()) for line, _ in found), default=0))


def compare(case, args, folder):
    """The results by the kind of tool."""
    def filled(text, quote=str):
        return text.replace("{T}", quote(args.triggers)).replace("{F}", quote(f"{folder}/written"))
    commands = {"dscope": [args.dscope, "-s", f"{args.tools}/{case.name}.d", *case.options.split()]}
    if case.bpftrace:
        is_file = case.bpftrace.endswith(".bt")
        program = f"/usr/sbin/{case.bpftrace}" if is_file else 'BEGIN { printf("tracing\\n"); } ' + case.bpftrace
        commands["bpftrace"] = ["bpftrace", program] if is_file else ["bpftrace", "-e", program]
    if case.bcc and words_of(case.bcc):
        commands["bcc"] = words_of(case.bcc)
    rows = {"dscope": case.ours, "bpftrace": case.bpftrace_row, "bcc": case.bcc_row}
    tracers, results = [], {}
    for kind, command in commands.items():  # one after the other, so that they do not slow each other's start
        tracer = Tracer(kind, command, folder)
        if tracer.wait_until_ready():
            tracers.append(tracer)
        else:
            tracer.stop()
            results[kind] = Result(0, 0, 0, tracer.complaint())
    subprocess.run(filled(case.load), shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   cwd=folder, timeout=PATIENCE)
    time.sleep(0.3)  # until the consumers have read their buffers: what they print when they end differs
    for tracer in tracers:
        tracer.stop()
        results[tracer.kind] = result_of(tracer, filled(rows[tracer.kind], re.escape))
    return results


def verdict(case, results):
    """What is wrong with our count, or "". Samples and counts of the whole machine differ between tools by a few."""
    ours = results["dscope"]
    if ours.complaint:
        return ours.complaint
    if case.events and ours.events != case.events:
        return f"expected {case.events}"
    most = max((result.events for kind, result in results.items() if kind != "dscope"), default=0)
    return "fewer than another tool" if not case.events and ours.events < 0.8 * most else ""


def line_of(case, results):
    cells = []
    for kind in ("dscope", "bpftrace", "bcc"):
        result = results.get(kind)
        if result is None or result.complaint:
            cells.append(f"{'-':>8} {'-':>6} {'-':>5}")
        else:
            cells.append(f"{result.events:>8} {result.seconds:>6.2f} {result.width:>5}")
    return f"{case.name:<16} {case.events or '':>6} | " + " | ".join(cells) + f" | {verdict(case, results)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dscope", required=True)
    parser.add_argument("--tools", required=True)
    parser.add_argument("--triggers", required=True)
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    cases = [case for case in CASES if not args.names or case.name in args.names]
    print(f"{'':23} | {'dscope':^21} | {'bpftrace':^21} | {'bcc':^21} |")
    print(f"{'TOOL':<16} {'LOAD':>6} | " + " | ".join([f"{'EVENTS':>8} {'START':>6} {'WIDTH':>5}"] * 3) + " | PROBLEM")
    complaints, is_good = [], True
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="dscope_compare_") as folder:
            results = compare(case, args, folder)
        print(line_of(case, results), flush=True)
        is_good = is_good and not verdict(case, results)
        complaints += [f"{case.name}: {kind} does not run: {result.complaint}" for kind, result in results.items()
                       if result.complaint and kind != "dscope"]
    print("\nSTART: seconds until the tool traces. WIDTH: columns of the longest row of the load.\n" + "\n".join(complaints))
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
