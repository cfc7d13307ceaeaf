#!/usr/bin/env python3
"""Three dscope exporters with known loads, scraped by a real Prometheus with native histograms.

check_fleet.py DSCOPE PACKAGING FOLDER
Exits with 77 if tracing, prometheus or promtool is missing.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

SKIPPED = 77
SCRIPT = """
#pragma D option metric="@time unit=none help=Distances"
syscall::getppid:entry /pid == $target/ { @calls[execname] = count(); }
syscall::kill:entry /pid == $target && arg1 == 0/ { @time[execname] = quantize(arg0); }
syscall::getppid:entry /pid == $target/ { @stacks[ustack(3)] = count(); }
"""
# For each line of input: calls getppid() N times, and kill(pid, 0) with processes that do not exist, whose numbers are
# the values.
LOAD = """
import os, sys
count, first, last = map(int, sys.argv[1:])
for line in sys.stdin:
  for _ in range(count): os.getppid()
  for value in range(first, last):
    try: os.kill(value, 0)
    except OSError: pass
  print('done', flush=True)
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def get(url, **headers):
    with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as response:
        return response.read()


def until(condition, what):
    for _ in range(1200):
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    sys.exit(f"never: {what}")


class Exporter:
    """dscope --serve that traces a load."""

    def __init__(self, dscope, folder, name, load, *options, text=SCRIPT, bundle=None):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        script = folder / f"{name}.d"
        script.write_text(text)
        self.load = subprocess.Popen([sys.executable, "-c", LOAD, *map(str, load)], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
        self.error_file = folder / f"{name}.err"
        program = [str(bundle)] if bundle else ["-s", str(script)]
        with open(self.error_file, "w") as errors:
            self.process = subprocess.Popen([dscope, f"--serve=:{self.port}", *options, "-p", str(self.load.pid), *program],
                                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True)
        self.wait_for("metrics are at")

    def wait_for(self, message):
        until(lambda: message in self.error_file.read_text() or self.process.poll() is not None, message)
        assert self.process.poll() is None, self.error_file.read_text()

    def work(self):
        print("go", file=self.load.stdin, flush=True)
        assert self.load.stdout.readline() == "done\n"

    def text(self, **headers):
        return get(self.base + "/metrics", **headers).decode()

    def value(self, name, **labels):
        for line in self.text().splitlines():
            if line.startswith(name + "{") and all(f'{k}="{v}"' in line for k, v in labels.items()):
                return float(line.rsplit(" ", 1)[1])
        return None

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        self.load.kill()
        self.load.wait()


class Prometheus:
    def __init__(self, folder, exporters):
        self.port = free_port()
        targets = [f"127.0.0.1:{each.port}" for each in exporters]
        config = {"global": {"scrape_interval": "1s"},
                  "scrape_configs": [{"job_name": "dscope", "static_configs": [{"targets": targets}]}]}
        (folder / "prometheus.yml").write_text(json.dumps(config))
        shutil.rmtree(folder / "data", ignore_errors=True)
        self.log = open(folder / "prometheus.log", "w")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{self.port}", "--enable-feature=native-histograms,exemplar-storage"],
            stdout=self.log, stderr=self.log)

    def query(self, expression):
        url = f"http://127.0.0.1:{self.port}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        try:
            return json.loads(get(url))["data"]["result"]
        except (urllib.error.URLError, ConnectionError):
            return []

    def number(self, expression):
        result = self.query(expression)
        return float(result[0]["value"][1]) if result else None

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


LOADS = [(1000, 100_000, 100_100), (20_000, 130_000, 130_500), (333, 1_000_000, 1_000_020)]


def check_sums(prometheus, exporters):
    total = sum(load[0] for load in LOADS)
    until(lambda: prometheus.number("sum(dscope_fleet_calls_total)") == total, f"the sum of calls is {total}")
    values = sum(load[2] - load[1] for load in LOADS)
    # The native histogram takes the place of the classic one.
    until(lambda: prometheus.number('histogram_count(sum(dscope_fleet_time))') == values, f"{values} values in native histograms")
    # Half of the 620 values are below 2^17 or in it: 100,000 and 130,000 are in [65536, 131072).
    middle = prometheus.number("histogram_quantile(0.5, sum(dscope_fleet_time))")
    assert 65536 <= middle <= 131072, middle
    for exporter, (count, first, last) in zip(exporters, LOADS):
        instance = f'instance="127.0.0.1:{exporter.port}"'
        assert prometheus.number(f"dscope_fleet_calls_total{{{instance}}}") == count
        assert prometheus.number(f"histogram_count(dscope_fleet_time{{{instance}}})") == last - first
        assert prometheus.number(f"dscope_drops_total{{{instance},kind=\"DTRACEDROP_PRINCIPAL\"}}") == 0
        assert prometheus.number(f"dscope_faults_total{{{instance}}}") == 0


def check_formats(exporter):
    text = exporter.text()
    check = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
    until(lambda: exporter.value("dscope_fleet_time_count") == 100, "the values")
    # Classic buckets: 100,000 to 100,099 are all above 65,535 and up to 131,071.
    assert exporter.value("dscope_fleet_time_bucket", le="65535") == 0
    assert exporter.value("dscope_fleet_time_bucket", le="131071") == 100
    openmetrics = exporter.text(Accept="application/openmetrics-text")
    assert openmetrics.endswith("# EOF\n")
    assert re.search(r'dscope_fleet_stacks_total 1000 # \{stack="[^"]*getppid[^"]*"\} 1000', openmetrics), openmetrics[-3000:]
    packed = get(exporter.base + "/metrics", Accept="application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited")
    assert b"dscope_fleet_calls_total" in packed
    folded = get(exporter.base + "/profile?format=folded").decode()
    assert re.search(r"getppid\S* 1000\n", folded), folded


def check_reload(exporter, folder):
    script = folder / "fleet.d"
    script.write_text("syscall::getppid:entry /pid == $target/ { @calls[execnam] = count(); }\n")
    exporter.process.send_signal(signal.SIGHUP)
    until(lambda: exporter.value("dscope_failed_reloads_total") == 1, "the reload fails")
    assert exporter.value("dscope_fleet_calls_total") == LOADS[0][0]
    script.write_text(SCRIPT + "BEGIN { @reloads = count(); }\n")
    exporter.process.send_signal(signal.SIGHUP)
    until(lambda: exporter.value("dscope_reloads_total") == 1, "the script is read again")
    assert exporter.value("dscope_fleet_calls_total") == LOADS[0][0]
    assert exporter.value("dscope_fleet_reloads_total") == 1 or "dscope_fleet_reloads_total 1" in exporter.text()
    exporter.work()
    until(lambda: exporter.value("dscope_fleet_calls_total") == 2 * LOADS[0][0], "counters go on")
    until(lambda: exporter.value("dscope_fleet_time_bucket", le="131071") == 200, "histograms go on")


def check_privileges(exporter):
    children = subprocess.run(["pgrep", "-P", str(exporter.process.pid), "dscope-http"], capture_output=True, text=True).stdout.split()
    status = pathlib.Path(f"/proc/{children[0]}/status").read_text()
    assert re.search(r"^CapEff:\s*0+$", status, re.M) and re.search(r"^Seccomp:\s*2$", status, re.M), status


def check_overflow(dscope, folder):
    """More keys than metricseries: the sum of all series is exact."""
    exporter = Exporter(dscope, folder, "overflow", (1, 1_000_000, 1_030_000), "-xmetricseries=100",
                        text="syscall::kill:entry /pid == $target/ { @[arg0] = count(); }")
    try:
        exporter.work()

        def total():
            series = re.findall(r"^dscope_overflow_count_total\{(.*)\} (\d+)$", exporter.text(), re.M)
            return sum(int(count) for _, count in series), len(series), dict(series).get('overflow="true"')
        until(lambda: total()[0] == 30_000, "30,000 calls in all series")
        assert total()[1:] == (101, "29900"), total()
        assert exporter.value("dscope_drops_total", kind="DTRACEDROP_AGGREGATION") == 0
    finally:
        exporter.stop()


def check_many_clients(exporter):
    """Clients that send nothing, or too slowly, or garbage: scrapes go on."""
    clients = [socket.create_connection(("127.0.0.1", exporter.port)) for _ in range(200)]
    for i, client in enumerate(clients):
        client.send([b"", b"GET /metr", b"\x16\x03\x01\0\0", b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n"][i % 4])
    assert exporter.value("dscope_up") == 1
    huge = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 1_000_000 + b"\r\n\r\n"
    for client in clients[:20]:
        try:
            client.send(huge)
        except OSError:
            pass
    assert exporter.value("dscope_up") == 1
    for client in clients:
        client.close()
    server = subprocess.run(["pgrep", "-P", str(exporter.process.pid), "dscope-http"], capture_output=True, text=True).stdout.strip()
    memory = int(re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{server}/status").read_text())[1])
    assert memory < 64 * 1024, f"{memory} KB"


def check_refusals(dscope, folder):
    def run(*arguments):
        return subprocess.run([dscope, *arguments, "-n", "BEGIN { @ = count(); }"], capture_output=True, text=True, timeout=60)
    refused = run("--serve=0.0.0.0:0")
    assert refused.returncode == 2 and "--serve-token-file" in refused.stderr, refused
    assert "invalid address" in run("--serve=nonsense").stderr
    destructive = subprocess.run([dscope, "-w", "--serve=:0", "-n", 'BEGIN { system("true"); }'], capture_output=True, text=True, timeout=60)
    assert destructive.returncode == 1 and "destructive" in destructive.stderr, destructive


def check_token(dscope, folder):
    token = folder / "token"
    token.write_text("secret-word\n")
    exporter = Exporter(dscope, folder, "token", (5, 100_000, 100_001), f"--serve-token-file={token}")
    try:
        exporter.work()
        try:
            exporter.text()
            sys.exit("served without a token")
        except urllib.error.HTTPError as error:
            assert error.code == 401
        until(lambda: "dscope_token_calls_total" in exporter.text(Authorization="Bearer secret-word"), "the count")
    finally:
        exporter.stop()


def check_bundle(dscope, folder):
    """A bundle as an exporter, without a compiler."""
    script, bundle = folder / "bundled.d", folder / "bundled.dsb"
    script.write_text('#pragma D option metric="@errors keys=error"\n'
                      'syscall::kill:return /pid == $target && errno != 0/ { @errors[errno] = count(); }\n')
    subprocess.run([dscope, f"--build={bundle}", "-s", script, "-p", "1"], check=True)
    exporter = Exporter(str(pathlib.Path(dscope).parent / "dscope-run"), folder, "bundle", (1, 1_000_000, 1_000_007), bundle=bundle)
    try:
        exporter.work()
        until(lambda: exporter.value("dscope_bundled_errors_total", error="ESRCH") == 7, "7 errors")
    finally:
        exporter.stop()


def main():
    dscope, packaging, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if os.geteuid() != 0 or not os.access("/sys/kernel/btf/vmlinux", os.R_OK) or not shutil.which("prometheus"):
        print("skipped: needs root, a kernel with BTF, and prometheus")
        sys.exit(SKIPPED)
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["promtool", "check", "rules", packaging / "prometheus/dscope.rules.yml"], check=True)
    folders = [folder / str(i) for i in range(len(LOADS))]
    for each in folders:
        each.mkdir(exist_ok=True)
    exporters = [Exporter(dscope, each, "fleet", load) for each, load in zip(folders, LOADS)]
    prometheus = None
    try:
        for each in exporters:
            each.work()
        prometheus = Prometheus(folder, exporters)
        check_sums(prometheus, exporters)
        check_formats(exporters[0])
        check_privileges(exporters[0])
        check_many_clients(exporters[1])
        check_reload(exporters[0], folders[0])
    finally:
        for each in exporters:
            each.stop()
        if prometheus:
            prometheus.stop()
    check_refusals(dscope, folder)
    check_overflow(dscope, folder)
    check_bundle(dscope, folder)
    check_token(dscope, folder)
    print("all checks passed")


if __name__ == "__main__":
    main()
