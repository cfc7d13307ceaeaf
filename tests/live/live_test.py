#!/usr/bin/env python3
"""The live view in a real terminal: drives tests/live/live_demo.cpp by tmux.

usage: live_test.py LIVE_DEMO [TEST...]
Waits for texts on the screen, never for a time. Exit status 77: tmux is missing.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata
import unittest

DEMO = ""
DEADLINE = float(os.environ.get("DSCOPE_LIVE_DEADLINE", "60"))  # seconds; only a failing test waits so long
COLOR = re.compile(r"\x1b\[[0-9;]*[34][0-8](;5;\d+)?[0-9;]*m")


class Tmux:
    """A server of its own, with one window."""

    count = 0

    def __init__(self):
        Tmux.count += 1
        self.name = f"dscope-live-{os.getpid()}-{Tmux.count}"

    def run(self, *arguments):
        return subprocess.run(
            ["tmux", "-L", self.name, "-f", "/dev/null", *arguments], check=True, capture_output=True, text=True
        ).stdout

    def stop(self):
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True, check=False)


class LiveTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="dscope-live-")
        self.commands = os.path.join(self.folder, "commands")
        self.log = os.path.join(self.folder, "log")
        os.mkfifo(self.commands)
        self.tmux = Tmux()

    def tearDown(self):
        self.tmux.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    # ------------------------------------------------------------ the demo

    def start(self, columns=80, rows=24, environment=None, options="", shell_options="-u", after=":"):
        """Starts the demo below a shell that goes on with `after` when it ends or stops."""
        variables = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"} | (environment or {})
        words = " ".join(f"{name}={value}" for name, value in variables.items())
        script = (
            f"trap : INT; until [ -e {self.folder}/go ]; do sleep 0.05; done; "
            f"env -u NO_COLOR {words} {DEMO} {self.commands} {self.log} {options}; status=$?; {after}; echo $status >{self.folder}/status; exec cat"
        )
        self.tmux.run("new-session", "-d", "-x", str(columns), "-y", str(rows), "sh", shell_options, "-c", script)
        self.tmux.run("set", "-g", "window-size", "manual")
        self.before = self.modes()
        open(os.path.join(self.folder, "go"), "w", encoding="utf-8").close()
        self.wait_for_log(r"ready \d+")
        self.pid = int(re.search(r"ready (\d+)", self.log_text())[1])

    def command(self, text):
        count = self.log_text().count(f"did {text}\n")
        with open(self.commands, "w", encoding="utf-8") as fifo:
            fifo.write(text + "\n")
        self.until(lambda: self.log_text().count(f"did {text}\n") > count, f"the command {text}")

    def log_text(self):
        try:
            with open(self.log, encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def modes(self):
        tty = os.open(self.format("#{pane_tty}"), os.O_RDWR | os.O_NOCTTY)
        try:
            return termios.tcgetattr(tty)
        finally:
            os.close(tty)

    def format(self, text):
        return self.tmux.run("display-message", "-p", text).strip()

    # ------------------------------------------------------------ keys and screen

    def keys(self, *names):
        self.tmux.run("send-keys", *names)

    def type(self, text):
        self.tmux.run("send-keys", "-l", text)

    def click(self, row, column, button=0):
        """A press and its release, as xterm reports them."""
        self.type(f"\x1b[<{button};{column + 1};{row + 1}M\x1b[<{button};{column + 1};{row + 1}m")

    def screen(self, with_styles=False):
        return self.tmux.run("capture-pane", "-p", *(["-e"] if with_styles else []))

    def line(self, row):
        lines = self.screen().split("\n")
        return lines[row] if row < len(lines) else ""

    def until(self, is_done, what):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if is_done():
                return
            time.sleep(0.01)
        self.fail(f"waited in vain for {what}\nlog:\n{self.log_text()}\nscreen:\n{self.screen()}")

    def wait_for(self, pattern):
        self.until(lambda: re.search(pattern, self.screen(), re.MULTILINE), repr(pattern))

    def wait_without(self, pattern):
        self.until(lambda: not re.search(pattern, self.screen(), re.MULTILINE), f"no {pattern!r}")

    def wait_for_line(self, row, pattern):
        self.until(lambda: re.search(pattern, self.line(row)), f"{pattern!r} in line {row}")

    def wait_for_log(self, pattern):
        self.until(lambda: re.search(pattern, self.log_text()), f"{pattern!r} in the log")

    def selected(self):
        """The text of the line with the background of the selection."""
        for line in self.screen(with_styles=True).split("\n"):
            if "48;5;24m" in line:
                return re.sub(r"\x1b\[[0-9;]*m", "", line)
        return ""

    def wait_for_selected(self, pattern):
        self.until(lambda: re.search(pattern, self.selected()), f"{pattern!r} selected")

    # ------------------------------------------------------------ tests

    def test_numbers_move(self):
        self.start()
        self.wait_for_line(2, r"^postgres +read +[\d,]+ +[\d,]+ +[\d.]+%")
        first = self.line(2)
        self.command("update 1")
        self.until(lambda: self.line(2) != first, "other numbers")
        self.command("drops 1234")
        self.wait_for(r"drops 1,234  faults 0")
        self.assertIn("48;5;124m", self.screen(with_styles=True))
        self.command("faults 2")
        self.wait_for(r"faults 2")

    def test_moving(self):
        self.start()
        self.wait_for_selected("^postgres")
        for key, selected in [
            ("Down", "^nginx"), ("j", "^bash"), ("Up", "^nginx"), ("k", "^postgres"), ("PageDown", "^worker-2"),
            ("PageUp", "^postgres"), ("End", "^worker-23|^sshd|^evil|^worker"), ("Home", "^postgres"),
            ("G", "^worker|^sshd"), ("g", "^postgres"),
        ]:
            self.keys(key)
            self.wait_for_selected(selected)

    def test_sorting_and_units(self):
        self.start()
        self.wait_for_line(1, "count▼")
        self.keys(">")
        self.wait_for_line(1, "rate/s▼")
        self.keys(">")
        self.wait_for_line(1, "execname▲")
        self.wait_for_line(2, "^bash")
        self.keys("r")
        self.wait_for_line(1, "execname▼")
        self.wait_for_line(2, "^日本語")
        self.keys("<", "<")
        self.wait_for_line(1, "count▼")
        self.keys("u")
        self.wait_for_line(2, r"^postgres +read +[\d.]+k")
        self.keys("u")
        self.wait_for_line(2, r"^postgres +read +[\d.]+us")

    def test_filter(self):
        self.start()
        self.keys("/")
        self.wait_for_line(23, "^ filter:")
        self.type("ngin")
        self.wait_for_line(2, "^nginx")
        self.wait_for_line(3, "^$")
        self.keys("Enter")
        self.wait_for_line(23, "1 of 24 rows /ngin")
        self.keys("Escape")
        self.wait_for_line(2, "^postgres")
        self.type("/wor*1")
        self.wait_for_line(2, "^worker-(11|21)")
        self.keys("BSpace", "BSpace")
        self.wait_for_line(23, "^ filter: wor")
        self.keys("Escape")
        self.wait_for_line(2, "^postgres")

    def test_tabs(self):
        self.start()
        self.keys("2")
        self.wait_for("all keys")
        self.keys("Tab")
        self.wait_for("frames, callers first")
        self.keys("BTab")
        self.wait_for("all keys")
        self.keys("5")
        self.wait_for(r"p50▼ +p90 +p99")
        self.keys("6")
        self.wait_for(r"^ +sum▼")
        self.keys("7")
        self.wait_for("row 12 open")
        self.keys("Tab")
        self.wait_for_line(1, "^execname")
        self.keys("?")
        self.wait_for("Everywhere")
        self.keys("End")
        self.wait_for("^ Mouse")
        self.keys("Escape")
        self.wait_without("^ Mouse")

    def test_distributions(self):
        self.start()
        self.keys("2")
        self.wait_for(r"4\.10us │█+")
        self.keys("Down")
        self.wait_for(r"^execname +count▼ +postgres|^execname +count▼ +bash|^execname +count▼ +nginx|^execname.*(日本語|cc1plus)")
        self.command("update 20")
        self.keys("m")
        self.wait_for("500 ms a column")
        self.wait_for(r"-10s +now")
        self.until(lambda: "48;5;229m" in self.screen(with_styles=True), "heat")
        self.keys("-")
        self.wait_for("  1 s a column")
        self.wait_for(r"-20s +now")
        self.keys("+")
        self.wait_for("500 ms a column")
        before = self.screen()
        self.command("update 1")
        self.until(lambda: self.screen() != before, "a heat map that scrolls")
        self.keys("m")
        self.wait_for("p99 < ")

    def test_stacks(self):
        self.start()
        self.keys("3")
        self.wait_for("▸ postgres")
        self.keys("Enter")
        self.wait_for("▾ vmlinux`do_syscall_64")
        self.keys("Left")
        self.wait_without("do_syscall_64")
        self.keys("Right")
        self.wait_for("▾ vmlinux`do_syscall_64")
        self.keys("c")
        self.wait_without("do_syscall_64")
        self.keys("e")
        self.wait_for("  vmlinux`_copy_to_iter")
        self.keys("i")
        self.wait_for("▸ vmlinux`_copy_to_iter")
        self.keys("e")
        self.wait_for_selected("postgres")
        self.keys("t")
        self.wait_for("vmlinux`_copy_to_iter < vmlinux`filem")
        self.keys("t")
        self.type("/futex")
        self.wait_for("futex_wait_queue")
        self.wait_without("_copy_to_iter")

    def test_rows(self):
        self.start()
        self.keys("7")
        self.command("update 20")
        self.wait_for("row 72 open")
        self.wait_for("^ +lines$")
        self.keys("Up")
        self.wait_for(", at ")
        self.command("update 1")
        self.wait_without("row 75 open")
        self.keys("End")
        self.wait_for("row 75 open")
        self.type("/row 3 ")
        self.wait_for("▶row 3 open")
        self.keys("Enter", "G")
        self.wait_for("row 75 open")
        self.type("/open")
        self.wait_for("▶row 75")
        self.keys("Enter", "n")
        self.wait_for("▶row 74")
        self.keys("N")
        self.wait_for("▶row 75")
        self.keys("Right")
        self.wait_for("\"/etc/passwd\"")
        self.wait_without("row 75 open")
        self.keys("Left", "Escape")
        self.wait_for("row 75 open")
        self.keys("G")
        self.command("rows \x1b[31mred\x07")
        self.wait_for(r"\^\[\[31mred\^G")

    def test_notices(self):
        self.start(rows=12)
        self.keys("!")
        self.wait_for("^ Drops and faults$")
        self.wait_for("none so far")
        self.command("drops 7")
        self.command("faults 1200")
        self.wait_for_line(2, r"^  00:00:0\d {10}7 drops on CPU 0$")
        self.wait_for_line(3, r"^  00:00:0\d  1,000x  invalid address \(0x10\) in action #1$")
        self.wait_for_line(4, r"^  200 more faults are counted only$")
        self.keys("Right")
        self.wait_for_line(3, r"^  +1,000x  invalid")
        self.keys("Left", "!")
        self.wait_for(r"^postgres +read")
        self.wait_for("! drops, faults")
        for number in range(20):
            self.command(f"drops {100 + number}")
        self.keys("!", "End")
        self.wait_for("119 drops on CPU 0")
        self.wait_without(r"^ +\S+ +7 drops")
        self.keys("Home")
        self.wait_for("7 drops on CPU 0")
        self.keys("Escape")
        self.wait_for(r"^postgres +read")

    def test_requests(self):
        self.start()
        self.keys("Down", "Enter")
        self.wait_for("no further key")
        self.keys("Down", "Enter")
        self.wait_for_log("drill 0 2")
        self.wait_for_line(1, "▸ execname = bash")
        self.keys("BSpace")
        self.wait_for_log("back")
        self.wait_for_line(1, "^execname")
        self.keys("s")
        self.wait_for("saved the program: demo-1.d")
        self.keys("h")
        self.wait_for("No space left on device")
        self.keys("p")
        self.wait_for("PAUSED")
        shown = self.line(2)
        self.command("update 2")
        self.keys("Down")
        self.wait_for_selected("nginx")
        self.assertEqual(self.line(2), shown)
        self.keys("Space")
        self.wait_without("PAUSED")
        self.until(lambda: self.line(2) != shown, "new numbers")
        self.keys("C-l")
        self.wait_for("postgres")
        self.keys("q")
        self.check_restored(0)

    def test_mouse(self):
        self.start()
        self.wait_for_selected("^postgres")
        self.click(5, 10)
        self.until(lambda: self.selected() == self.line(5), "the row of the click selected")
        self.click(1, 1)
        self.wait_for_line(1, "execname▲")
        self.click(0, 14)
        self.wait_for("all keys")
        self.click(0, 2)
        self.wait_for_line(1, "probefunc")
        self.keys("Home")
        first = self.selected()
        self.click(8, 5, button=65)
        self.until(lambda: self.selected() not in ("", first), "a selection moved by the wheel")
        self.click(8, 5, button=64)
        self.until(lambda: self.selected() == first, "a selection moved back")

    def test_sizes(self):
        self.start()
        for columns, rows in [(40, 10), (200, 50), (80, 24), (20, 5), (40, 10)]:
            self.tmux.run("resize-window", "-x", str(columns), "-y", str(rows))
            self.wait_for_line(rows - 2, r"^ 00:00:0")
            for key in "1234567":
                self.keys(key)
            self.keys("1")
            self.wait_for_line(1, "^ex")
            self.wait_for_line(2, "^po")
        self.tmux.run("resize-window", "-x", "200", "-y", "50")
        self.wait_for_line(1, "trend")
        for key, text in [("2", "all keys"), ("3", "self"), ("7", "4711 cat")]:
            self.keys(key)
            self.wait_for(text)

    def test_without_colors(self):
        for environment in [{"TERM": "vt100"}, {"NO_COLOR": "1"}]:
            with self.subTest(environment):
                self.start(environment=environment)
                self.keys("2", "m")
                self.wait_for("▓|▒|░")
                self.assertIsNone(COLOR.search(self.screen(with_styles=True)))
                self.tearDown()
                self.setUp()

    def test_ascii(self):
        for environment, options in [({}, "--ascii"), ({"LC_ALL": "C"}, "")]:
            with self.subTest(options):
                self.start(environment=environment, options=options)
                self.wait_for("countv")
                for key, text in [("2", "[|]#+"), ("m", "now"), ("3", r"\+ postgres"), ("1", r"^\?{7}")]:
                    self.keys(key)
                    self.wait_for(text)
                    self.assertTrue(self.screen().isascii(), self.screen())
                self.tearDown()
                self.setUp()

    def test_wide_characters(self):
        self.start()
        self.wait_for("^日本語サーバー")

        def column_of_function(line):
            """The column at which the second field begins."""
            end = re.match(r"\S+ +", line).end()
            wide = sum(unicodedata.east_asian_width(character) in "WF" for character in line[:end])
            combining = sum(unicodedata.combining(character) != 0 for character in line[:end])
            return end + wide - combining

        lines = [line for line in self.screen().split("\n")[2:22] if line]
        self.assertEqual({column_of_function(line) for line in lines}, {column_of_function(lines[0])}, lines)
        self.wait_for(r"^evil\^\[\[2J\^J ")
        self.wait_for("^e\u0301tude ")

    # ------------------------------------------------------------ what is left behind

    def wait_for_status(self, status):
        path = os.path.join(self.folder, "status")
        self.until(lambda: os.path.exists(path) and os.path.getsize(path) > 0, "the end of the view")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(int(file.read()), status)

    def check_restored(self, status):
        self.wait_for_status(status)
        state = "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag} #{keypad_flag}"
        self.until(lambda: self.format(state) == "0 1 0 0 0", f"a restored terminal, now {self.format(state)}")
        self.until(lambda: self.modes() == self.before, "restored modes")
        self.until(lambda: "dscope-terminal" not in names_of_processes(self.pid), "the end of the watcher")

    def test_ends(self):
        for number, status in [
            (signal.SIGKILL, 137), (signal.SIGSEGV, 139), (signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGINT, 0)
        ]:
            with self.subTest(number):
                self.start()
                self.wait_for("postgres")
                self.assertNotEqual(self.modes(), self.before)
                self.assertEqual(self.format("#{alternate_on} #{cursor_flag} #{mouse_any_flag}"), "1 0 1")
                os.kill(self.pid, number)
                self.check_restored(status)
                self.tearDown()
                self.setUp()

    def test_crash(self):
        self.start()
        self.wait_for("postgres")
        with open(self.commands, "w", encoding="utf-8") as fifo:
            fifo.write("crash\n")
        self.check_restored(134)

    def test_interrupt_key(self):
        self.start()
        self.wait_for("postgres")
        self.keys("C-c")
        self.wait_for_log("quit 2")
        self.check_restored(0)

    def test_hangup(self):
        self.start()
        self.wait_for("postgres")
        self.tmux.stop()
        self.wait_for_end()

    def wait_for_end(self):
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            if not os.path.exists(f"/proc/{self.pid}"):
                return
            time.sleep(0.01)
        self.fail("the view outlives its terminal")

    def test_stop_and_continue(self):
        script = f"until [ -e {self.folder}/on ]; do sleep 0.05; done; fg"
        self.start(shell_options="-m", after=script)
        self.wait_for("postgres")
        self.keys("3")
        self.wait_for("▸ postgres")
        os.kill(self.pid, signal.SIGTSTP)
        self.until(lambda: state_of(self.pid) == "T", "a stopped process")
        self.until(lambda: self.modes() == self.before, "restored modes")
        open(os.path.join(self.folder, "on"), "w", encoding="utf-8").close()
        self.until(lambda: self.format("#{alternate_on}") == "1", "the view again")
        self.keys("e")
        self.wait_for("_copy_to_iter")

    def test_needs_a_terminal(self):
        result = subprocess.run(
            [DEMO, self.commands, self.log], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
        self.assertEqual(result.returncode, 1)
        self.assertIn("needs a terminal", result.stderr)


def state_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return file.read().rpartition(")")[2].split()[0]


def names_of_processes(parent):
    """Of the watchers that were children of `parent`: their session is their own, their arguments are those of it."""
    names = []
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/comm", encoding="utf-8") as file:
                name = file.read().strip()
            with open(f"/proc/{entry}/cmdline", encoding="utf-8") as file:
                is_ours = name == "dscope-terminal" and DEMO in file.read() and int(entry) > parent
        except (OSError, ValueError):
            continue
        if is_ours:
            names.append(name)
    return names


if __name__ == "__main__":
    if shutil.which("tmux") is None:
        print("tmux is missing")
        sys.exit(77)
    DEMO = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], "-v", *[f"LiveTest.{name}" for name in sys.argv[2:]]])
