"""What the checks of services share: dscope as a service, and waiting for what it serves."""
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request

SKIPPED = 77


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as response:
        return response.read()


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(f"never: {what() if callable(what) else what}")


def status_of(pid, name):
    return re.search(rf"^{name}:\s*(.*)$", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)[1]


def rss_kib(pid):
    return int(status_of(pid, "VmRSS").split()[0])


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def series_in(text, name):
    found = re.findall(rf"^{name}(?:\{{(.*)\}})? (\S+)$", text, re.M)
    return {labels: float(value) for labels, value in found}


class Service:
    """dscope --serve, or another command line of a service.

    `program`: a bundle to serve instead of the script; `prefix`: a command that starts dscope; `base`: where the service is
    if `serve` has no port of this machine; `headers`: of each scrape.
    """

    def __init__(self, dscope, folder, name, text, *options, serve=None, environment=None, program=None, started="metrics are ",
                 prefix=(), base=None, headers=None):
        self.port = free_port()
        self.base = base or f"http://127.0.0.1:{self.port}"
        self.headers = headers or {}
        self.script = pathlib.Path(folder) / f"{name}.d"
        self.script.write_text(text)
        self.error_file = pathlib.Path(folder) / f"{name}.err"
        arguments = [f"--serve=:{self.port}"] if serve is None else serve
        programs = ["-s", str(self.script)] if program is None else [str(program)]
        with open(self.error_file, "w") as errors:
            self.process = subprocess.Popen([*prefix, dscope, *arguments, *options, *programs], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=errors, env={**os.environ, **(environment or {})})
        self.wait_for(started)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def messages(self):
        return self.error_file.read_text()

    def wait_for(self, message):
        until(lambda: message in self.messages() or self.process.poll() is not None, message)
        assert self.process.poll() is None, self.messages()

    def reload(self):
        before = self.messages().count("read again")
        self.process.send_signal(signal.SIGHUP)
        until(lambda: self.messages().count("read again") > before, "the script is read again")

    def text(self, **headers):
        return self.get("/metrics", **headers).decode()

    def get(self, path, **headers):
        return get(self.base + path, **self.headers, **headers)

    def series(self, name):
        """{labels: value} of one metric."""
        return series_in(self.text(), name)

    def total(self, name):
        return sum(self.series(name).values())

    def value(self, name, **labels):
        """The first series with these labels; None: there is none."""
        for found, value in self.series(name).items():
            if all(f'{label}="{text}"' in found for label, text in labels.items()):
                return value
        return None

    def children(self, name=""):
        """The processes of the service: tracers are called as dscope is."""
        pids = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return [int(pid) for pid in pids if name in pathlib.Path(f"/proc/{pid}/comm").read_text()]

    def tracer(self):
        [pid] = [pid for pid in self.children() if not pathlib.Path(f"/proc/{pid}/comm").read_text().startswith("dscope-")]
        return pid

    def server(self):
        [pid] = self.children("dscope-http")
        return pid

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(60)


CALLS = """
syscall::getppid:entry /pid == $1/ { @calls[execname] = count(); }
"""
# For each line N of input: calls getppid() N times.
CALLER = """
import os, sys
for line in sys.stdin:
  for _ in range(int(line)): os.getppid()
  print('done', flush=True)
"""


class Caller:
    def __init__(self, code=CALLER):
        self.process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid

    def start(self, count):
        print(count, file=self.process.stdin, flush=True)

    def wait(self):
        assert self.process.stdout.readline() == "done\n"

    def call(self, count):
        self.start(count)
        self.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


# Calls getppid() from the first line of input to the second one, then prints how often.
BUSY = """
import os, sys, threading
sys.stdin.readline()
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.readline(), ended.set())).start()
calls = 0
while not ended.is_set():
  for _ in range(100): os.getppid()
  calls += 100
print(calls, flush=True)
sys.stdin.readline()
"""


class BusyCaller(Caller):
    """Calls getppid() all the time."""

    def __init__(self):
        super().__init__(BUSY)

    def start(self):
        print(file=self.process.stdin, flush=True)

    def stop(self):
        """Returns the number of calls."""
        print(file=self.process.stdin, flush=True)
        return int(self.process.stdout.readline())


def calls_of(pid, extra=""):
    return CALLS.replace("$1", str(pid)) + extra


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def run_checks(checks, dscope, folder):
    if os.geteuid() != 0 or not os.access("/sys/kernel/btf/vmlinux", os.R_OK):
        skip("needs root and a kernel with BTF")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[3:]
    for check in checks:
        if wanted and check.__name__ not in wanted:
            continue
        begin = time.monotonic()
        check(dscope, folder)
        print(f"{check.__name__}: {time.monotonic() - begin:.1f} s", flush=True)
    print("all checks passed")
