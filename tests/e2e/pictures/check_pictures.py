#!/usr/bin/env python3
"""Checks pictures of real runs against their text output.

usage: check_pictures.py DSCOPE CASE

Needs root. Exits with 77 if a program that a case needs is missing.
"""
import base64
import collections
import contextlib
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

dscope = os.path.abspath(sys.argv[1])
# Writes 1,000 times from one process.
workload = "dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none"
calls = "syscall:::entry /pid == $target/ { @[execname, probefunc] = count(); } "


def need(program):
    if shutil.which(program) is None:
        print(f"{program} is not installed")
        sys.exit(77)


def run(*arguments):
    """The standard output of a run that must succeed without drops."""
    done = subprocess.run([dscope, "-q", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "drop" not in done.stderr, done.stderr
    return done.stdout


def page_data(path):
    """The JSON in a report."""
    page = open(path, encoding="utf-8").read()
    data = re.search(r'<script[^>]*id="?data"?[^>]*>([^<]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(data.group(1))))


def numbers(aggregation):
    """Keys to number, of an aggregation in a report."""
    keys = [key["values"] for key in aggregation["keys"]]
    return {tuple(column[i] for column in keys): int(aggregation["values"][i]) for i in range(aggregation["count"])}


def printed_numbers(text):
    totals = collections.Counter()
    for line in text.splitlines():
        if line.strip():
            *keys, number = line.split()
            totals[tuple(keys)] += int(number)
    return dict(totals)


def report_equals_text():
    text = run("--report=page.html", "-c", workload, "-n", calls + 'END { printa("%s %s %@d\\n", @); }')
    printed = printed_numbers(text)
    assert printed[("dd", "write")] == 1000, printed
    assert numbers(page_data("page.html")["aggregations"][0]) == printed


def report_adds_up_what_was_cleared():
    program = (calls + "syscall::write:entry /pid == $target && ++writes % 100 == 0/ "
               '{ printa("%s %s %@d\\n", @); clear(@); } END { printa("%s %s %@d\\n", @); }')
    printed = printed_numbers(run("--report=page.html", "-c", workload, "-n", program))
    assert printed[("dd", "write")] == 1000, printed
    assert numbers(page_data("page.html")["aggregations"][0]) == printed


def report_of_a_bundle():
    program = calls + 'END { printa("%s %s %@d\\n", @); }'
    for setting in ([], ["-x", "rowstamps"]):
        run(*setting, "--build=program.dsb", "-n", program)
        runner = os.path.join(os.path.dirname(dscope), "dscope-run")
        done = subprocess.run([runner, "-q", "--report=page.html", "-c", workload, "program.dsb"], capture_output=True,
                              text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        shown = page_data("page.html")["aggregations"][0]
        assert numbers(shown) == printed_numbers(done.stdout), shown
        assert shown["keys"][0]["name"] == ("execname" if setting else "key1"), shown["keys"]


def report_omits_what_was_truncated():
    text = run("--report=page.html", "-c", workload, "-n", calls + 'END { trunc(@, 1); printa("%s %s %@d\\n", @); }')
    shown = page_data("page.html")["aggregations"][0]
    assert numbers(shown) == printed_numbers(text), shown


def report_has_distributions_and_rows():
    program = ("syscall::write:entry /pid == $target/ { @ = lquantize(arg2, 0, 10, 1); } "
               'syscall::exit_group:entry /pid == $target/ { printf("%s ends", execname); }')
    text = run("--report=page.html", "-c", workload, "-n", program)
    data = page_data("page.html")
    assert "dd ends" in text, text
    rows = data["rows"]
    assert rows["text"] == ["dd ends"] and rows["pid"][0] > 0 and rows["execnames"] == ["dd"], rows
    aggregation = data["aggregations"][0]
    assert aggregation["distribution"] and "1000" in json.dumps(aggregation["values"]), aggregation


def timeline_has_each_row():
    need("babeltrace2")
    program = 'syscall::write:entry,syscall::write:return /pid == $target/ { printf("%d\\n", arg0); }'
    text = run("--timeline=trace/", "-c", workload, "-n", program)
    rows = len(text.split())
    events = subprocess.run(["babeltrace2", "trace"], capture_output=True, text=True, check=True).stdout
    assert rows == 2000 and len(events.splitlines()) == rows, (rows, len(events.splitlines()))
    assert events.count('execname = "dd"') == rows, events[:500]


def timeline_pairs_calls():
    need("protoc")
    program = "syscall::write:entry,syscall::write:return /pid == $target/ { trace(arg0); }"
    run("--timeline=trace.pftrace", "-c", workload, "-n", program)
    packets = subprocess.run(["protoc", "--decode_raw"], stdin=open("trace.pftrace", "rb"), capture_output=True,
                             text=True, check=True).stdout
    # TracePacket.track_event (11) has a type (9): 1 begins a slice, 2 ends it.
    begins, ends = (len(re.findall(rf"^  11 {{\n(?:    .*\n)*?    9: {kind}\n", packets, re.M)) for kind in (1, 2))
    assert begins == 1000 and ends == 1000, (begins, ends)


def timeline_pairs_clauses_and_has_stacks():
    need("protoc")
    program = """
      syscall::write:entry /pid == $target && !self->t/ { self->t = timestamp; trace(1); stack(); ustack(); }
      syscall::read:entry /self->t/ { printf("%d ns", timestamp - self->t); self->t = 0; }"""
    run("--timeline=trace.pftrace", "-c", workload, "-n", program)
    proto = pathlib.Path(__file__).parents[2] / "pictures"
    trace = subprocess.run(["protoc", f"--proto_path={proto}", "--decode=Trace", "perfetto.proto"],
                           stdin=open("trace.pftrace", "rb"), capture_output=True, text=True, check=True).stdout
    assert '    event_names {\n      iid: ' in trace and 'name: "t"' in trace, trace[:2000]
    begins, ends = trace.count("type: TYPE_SLICE_BEGIN"), trace.count("type: TYPE_SLICE_END")
    assert begins == ends >= 999, (begins, ends)
    samples = re.findall(r"perf_sample {\n(?:.*\n)*?.*pid: (\d+)\n.*tid: (\d+)\n.*callstack_iid: (\d+)\n", trace)
    assert len(samples) == begins and all(pid == tid != "0" for pid, tid, _ in samples), (len(samples), begins)
    assert len({stack for _, _, stack in samples}) < 20, "equal stacks are not interned"
    for name in ("vmlinux", "libc.so.6"):
        assert f'name: "{name}"' in trace, name


def formats_are_valid():
    program = "syscall::write:entry /pid == $target/ { @[ustack()] = count(); }"
    svg = run("--format=svg", "-c", workload, "-n", program)
    assert xml.dom.minidom.parseString(svg).documentElement.tagName == "svg"
    profile = json.loads(run("--format=speedscope", "-c", workload, "-n", program))
    assert sum(profile["profiles"][0]["weights"]) == 1000, profile["profiles"][0]
    run("-o", "profile.pb.gz", "--format=pprof", "-c", workload, "-n", program)
    assert len(gzip.open("profile.pb.gz").read()) > 100


def unwritable_files_fail_before_tracing():
    for option in ("--report=/nonexistent/page.html", "--timeline=/nonexistent/trace"):
        done = subprocess.run([dscope, option, "-n", "BEGIN { trace(1); exit(0); }"], capture_output=True, text=True)
        assert done.returncode == 1 and "cannot write `/nonexistent/" in done.stderr and "BEGIN" not in done.stdout, done


class Terminal:
    """A terminal of tmux that runs a command, then a shell command that shows its exit status."""

    def __init__(self, command, columns=110, lines=30):
        self.socket = f"dscope-{os.getpid()}"
        shown = f"stty -a > before; {command}; status=$?; stty -a > after; echo status $status; sleep 100"
        # The server of tmux would keep a pipe open.
        subprocess.run(["tmux", "-L", self.socket, "new-session", "-d", "-x", str(columns), "-y", str(lines), shown],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def tmux(self, *words):
        return subprocess.run(["tmux", "-L", self.socket, *words], capture_output=True, text=True, check=True).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p")

    def wait_for(self, pattern):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            screen = self.screen()
            if re.search(pattern, screen):
                return screen
            time.sleep(0.05)
        raise AssertionError(f"no {pattern!r} in\n{self.screen()}")

    def press(self, *keys):
        self.tmux("send-keys", *keys)

    def close(self):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)


def live(program):
    need("tmux")
    return Terminal(f"{dscope} --live -n '{program}'")


def tracers():
    """The processes of this test's dscope, but for its view."""
    found = subprocess.run(["pgrep", "-f", f"^{dscope} --live"], capture_output=True, text=True).stdout.split()
    return [pid for pid in found if os.readlink(f"/proc/{pid}/exe").rsplit("/", 1)[1] != "dscope-live"]


@contextlib.contextmanager
def reader_of_a_file():
    """A process that reads one file, until its parent ends."""
    open("traced-file", "w").write("x")
    code = ("import os\nf = os.open('traced-file', os.O_RDONLY)\nparent = os.getppid()\n"
            "while os.getppid() == parent:\n  for _ in range(100): os.pread(f, 1, 0); os.lseek(f, 0, 0)")
    process = subprocess.Popen([sys.executable, "-c", code])
    try:
        yield process
    finally:
        process.kill()


def live_drills_down_to_the_file():
    with reader_of_a_file() as reader:
        terminal = live(f"syscall:::entry /pid == {reader.pid}/ {{ @[execname] = count(); }}")
        try:
            saved = drill_down_to_the_file(terminal)
        finally:
            terminal.close()
        answer = subprocess.run([dscope, "-q", "-x", "duration=500ms", "-s", saved], capture_output=True, text=True)
    assert "traced-file" in answer.stdout, answer


def drill_down_to_the_file(terminal):
    """Returns the name of the program that was saved there."""
    terminal.wait_for(r"python\S*\s+[\d,]+")
    terminal.press("Enter")
    terminal.wait_for(r"execname = python")
    terminal.wait_for(r"pread64\s+[\d,]+")
    terminal.press("/", "pread64", "Enter")
    terminal.press("Enter")
    terminal.wait_for(r"probefunc = pread64")
    terminal.wait_for(r"frames")
    terminal.press("d")
    terminal.wait_for(r"probefunc = pread64 \S stack[^%]*\d%")
    terminal.press("d")
    terminal.wait_for(r"traced-file\s+[\d,]+")
    terminal.press("s")
    saved = re.search(r"saved the program: (\S+)", terminal.wait_for("saved the program")).group(1)
    assert len(tracers()) == 1, tracers()
    terminal.press("BSpace")
    terminal.wait_for(r"pread64 \S stack\s*\n")
    terminal.press("q")
    terminal.wait_for("status 0")
    assert open("before").read() == open("after").read()
    assert not tracers()
    return saved


def live_drills_into_a_replay():
    """The capture is replayed for each closer look, also after its end."""
    need("tmux")
    run("--record=run.dcap", "-n", "syscall:::", "-c", workload)
    terminal = Terminal(f"{dscope} --live --replay=run.dcap -n 'syscall:::entry {{ @[execname] = count(); }}'")
    try:
        terminal.wait_for("the run has ended")
        terminal.wait_for(r"dd\s+[\d,]+")
        terminal.press("/", "dd", "Enter", "Enter")
        terminal.wait_for(r"execname = dd")
        terminal.wait_for(r"write\s+1,000")
        terminal.press("/", "write", "Enter", "Enter")
        terminal.wait_for("no further key")
        terminal.press("BSpace")
        terminal.wait_for(r"dd\s+[\d,]+")
        terminal.press("q")
        terminal.wait_for("status 0")
    finally:
        terminal.close()


def live_shows_mistakes_before_the_view():
    terminal = live("syscall:::entry { @[nosuchvariable] = count(); }")
    try:
        screen = terminal.wait_for("status 1")
        assert "nosuchvariable" in screen, screen
    finally:
        terminal.close()


def live_leaves_nothing_when_killed():
    terminal = live("profile-99 { @[execname] = count(); } tick-1s { printf(\"tock\"); }")
    try:
        terminal.wait_for(r"execname")
        view = subprocess.run(["pgrep", "-f", f"^{dscope} --live"], capture_output=True, text=True).stdout.split()
        killed = [pid for pid in view if pid not in tracers()]
        subprocess.run(["kill", "-9", *killed], check=True)
        terminal.wait_for("status 137")
        deadline = time.monotonic() + 10
        while tracers() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not tracers(), tracers()
    finally:
        terminal.close()


def live_outlives_its_tracer():
    terminal = live("profile-99 { @[execname] = count(); }")
    try:
        terminal.wait_for(r"execname")
        subprocess.run(["kill", "-9", *tracers()], check=True)
        terminal.wait_for("the run has ended")
        terminal.press("q")
        terminal.wait_for("status 137")
        assert open("before").read() == open("after").read()
    finally:
        terminal.close()


def live_ends_with_its_command():
    need("tmux")
    terminal = Terminal(f"{dscope} --live -n 'syscall::write:entry /pid == $target/ {{ @[execname] = count(); }}' "
                        f"-c '{workload}'")
    try:
        terminal.wait_for(r"dd\s+1,000")
        terminal.wait_for("the run has ended")
        terminal.press("q")
        terminal.wait_for("status 0")
    finally:
        terminal.close()


def live_hides_its_pipe_from_commands():
    need("tmux")
    open("command.sh", "w").write("env > environment; readlink /proc/$$/fd/[3-9] > descriptors\n")
    # The second run could come from the cache.
    for _ in range(2):
        terminal = Terminal(f"{dscope} --live -n 'syscall::write:entry /pid == $target/ {{ @[execname] = count(); }}' "
                            "-c 'sh command.sh'")
        try:
            terminal.wait_for("the run has ended")
            assert "DSCOPE_LIVE" not in open("environment").read()
            assert "pipe" not in open("descriptors").read(), open("descriptors").read()
        finally:
            terminal.close()


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        globals()[sys.argv[2]]()
