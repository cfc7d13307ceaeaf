#!/usr/bin/env python3
"""Three dscope exporters with known loads, in network namespaces, scraped by real Prometheus servers.

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

from service import Service, free_port, get, rss_kib, series_in, skip, until

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


PORT, TOKEN = 9464, "secret-word"


class Host:
    """A network namespace with an address that this machine can reach."""

    def __init__(self, number):
        self.name, self.link = f"dscope-host{number}", f"dscope{number}"
        self.address = f"10.213.{number}.2"
        self.close()
        self.run("netns", "add", self.name)
        self.run("link", "add", self.link, "type", "veth", "peer", "name", "up0", "netns", self.name)
        self.run("address", "add", f"10.213.{number}.1/30", "dev", self.link)
        self.run("link", "set", self.link, "up")
        self.run("-n", self.name, "address", "add", self.address + "/30", "dev", "up0")
        self.run("-n", self.name, "link", "set", "up0", "up")

    @staticmethod
    def run(*arguments):
        subprocess.run(["ip", *arguments], check=True)

    def close(self):
        subprocess.run(["ip", "netns", "delete", self.name], stderr=subprocess.DEVNULL)


class Load:
    def __init__(self, numbers):
        self.process = subprocess.Popen([sys.executable, "-c", LOAD, *map(str, numbers)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def work(self):
        print("go", file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"

    def stop(self):
        self.process.kill()
        self.process.wait()


class Exporter(Service):
    """A service that traces a load, on a host or on this machine."""

    def __init__(self, dscope, folder, name, numbers, *options, text=SCRIPT, bundle=None, host=None):
        self.load = Load(numbers)
        traced = ["-p", str(self.load.process.pid)]
        if host is None:
            super().__init__(dscope, folder, name, text, *options, *traced, program=bundle)
            return
        token = folder / "token"
        token.write_text(TOKEN + "\n")
        super().__init__(dscope, folder, name, text, *options, f"--serve-token-file={token}", *traced, program=bundle,
                         serve=[f"--serve={host.address}:{PORT}"], base=f"http://{host.address}:{PORT}",
                         prefix=["nsenter", f"--net=/run/netns/{host.name}"], headers={"Authorization": f"Bearer {TOKEN}"})

    def work(self):
        self.load.work()

    def stop(self):
        super().stop()
        self.load.stop()


class Prometheus:
    """Scrapes all exporters (job "hosts") and the one that traces all loads (job "whole")."""

    def __init__(self, folder, exporters, whole, *features):
        folder.mkdir(exist_ok=True)
        self.port = free_port()
        jobs = [{"job_name": "hosts", "authorization": {"credentials": TOKEN},
                 "static_configs": [{"targets": [each.base.removeprefix("http://") for each in exporters]}]},
                {"job_name": "whole", "static_configs": [{"targets": [whole.base.removeprefix("http://")]}]}]
        (folder / "prometheus.yml").write_text(json.dumps({"global": {"scrape_interval": "1s"}, "scrape_configs": jobs}))
        shutil.rmtree(folder / "data", ignore_errors=True)
        with open(folder / "prometheus.log", "w") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
                 f"--web.listen-address=127.0.0.1:{self.port}", "--enable-feature=" + ",".join(features)], stdout=log, stderr=log)

    def ask(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?" + urllib.parse.urlencode(parameters)
        try:
            return json.loads(get(url))["data"]
        except (urllib.error.URLError, ConnectionError):
            return {}

    def number(self, expression):
        result = self.ask("query", query=expression).get("result")
        return float(result[0]["value"][1]) if result else None

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


LOADS = [(1000, 100_000, 100_100), (20_000, 130_000, 130_500), (333, 1, 3000)]
CALLS, VALUES = sum(load[0] for load in LOADS), sum(load[2] - load[1] for load in LOADS)


def check_quantiles(prometheus, histogram):
    """`histogram`: an expression with the place of the selector."""
    for quantile in [0.001, 0.25, 0.5, 0.9, 0.99, 1]:
        of_hosts = prometheus.number(f"histogram_quantile({quantile}, {histogram % 'hosts'})")
        of_whole = prometheus.number(f"histogram_quantile({quantile}, {histogram % 'whole'})")
        assert of_hosts is not None and of_hosts == of_whole, (histogram, quantile, of_hosts, of_whole)
        print(f"  quantile {quantile} of {histogram % 'hosts'}: {of_hosts:.0f}, as in one instance")


def check_sums(native, classic, exporters):
    """Sums and quantiles over the hosts equal those of one instance that has traced all loads."""
    for prometheus in [native, classic]:
        for job in ["hosts", "whole"]:
            until(lambda: prometheus.number(f'sum(dscope_fleet_calls_total{{job="{job}"}})') == CALLS, f"{CALLS} calls of {job}")
    # The native histogram takes the place of the classic one.
    for job in ["hosts", "whole"]:
        until(lambda: native.number(f'histogram_count(sum(dscope_fleet_time{{job="{job}"}}))') == VALUES, f"native histograms of {job}")
        until(lambda: classic.number(f'sum(dscope_fleet_time_count{{job="{job}"}})') == VALUES, f"classic histograms of {job}")
    check_quantiles(native, 'sum(dscope_fleet_time{job="%s"})')
    check_quantiles(classic, 'sum by (le) (dscope_fleet_time_bucket{job="%s"})')
    for exporter, (count, first, last) in zip(exporters, LOADS):
        instance = f'instance="{exporter.base.removeprefix("http://")}"'
        assert native.number(f"dscope_fleet_calls_total{{{instance}}}") == count
        assert native.number(f"histogram_count(dscope_fleet_time{{{instance}}})") == last - first
        assert native.number(f"dscope_drops_total{{{instance},kind=\"DTRACEDROP_PRINCIPAL\"}}") == 0
        assert native.number(f"dscope_faults_total{{{instance}}}") == 0


def check_exemplars(*servers):
    """The stacks of counters come back from the API, from OpenMetrics text and from protobuf."""
    def exemplars(prometheus):
        series = prometheus.ask("query_exemplars", query='dscope_fleet_stacks_total{job="hosts"}', start=time.time() - 600,
                                end=time.time() + 60)
        stacks = [each["labels"]["stack"] for one in series for each in one["exemplars"]]
        return stacks if len(series) == len(LOADS) and all("getppid" in stack for stack in stacks) else None
    for prometheus in servers:
        stacks = until(lambda: exemplars(prometheus), "exemplars of all hosts")
        print(f"  exemplar from the API: {stacks[0]!r}")


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
    packed = exporter.get("/metrics", Accept="application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited")
    assert b"dscope_fleet_calls_total" in packed
    folded = exporter.get("/profile?format=folded").decode()
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
    assert exporter.value("dscope_fleet_reloads_total") == 1
    exporter.work()
    until(lambda: exporter.value("dscope_fleet_calls_total") == 2 * LOADS[0][0], "counters go on")
    until(lambda: exporter.value("dscope_fleet_time_bucket", le="131071") == 200, "histograms go on")


def check_overflow(dscope, folder):
    """More keys than metricseries: the sum of all series is exact."""
    exporter = Exporter(dscope, folder, "overflow", (1, 1_000_000, 1_030_000), "-xmetricseries=100",
                        text="syscall::kill:entry /pid == $target/ { @[arg0] = count(); }")
    try:
        exporter.work()

        def total():
            series = exporter.series("dscope_overflow_count_total")
            return sum(series.values()), len(series), series.get('overflow="true"')
        until(lambda: total()[0] == 30_000, "30,000 calls in all series")
        assert total()[1:] == (101, 29900), total()
        assert exporter.value("dscope_drops_total", kind="DTRACEDROP_AGGREGATION") == 0
    finally:
        exporter.stop()


def check_many_clients(exporter):
    """Clients that send nothing, or too slowly, or garbage: scrapes go on."""
    clients = [socket.create_connection((exporter.base.removeprefix("http://").split(":")[0], PORT)) for _ in range(200)]
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
    assert rss_kib(exporter.server()) < 64 * 1024, rss_kib(exporter.server())


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
        until(lambda: series_in(exporter.text(Authorization="Bearer secret-word"), "dscope_token_calls_total"), "the count")
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
        skip("needs root, a kernel with BTF, and prometheus")
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["promtool", "check", "rules", packaging / "prometheus/dscope.rules.yml"], check=True)
    folders = [folder / str(i) for i in range(len(LOADS))]
    for each in folders:
        each.mkdir(exist_ok=True)
    hosts, running = [Host(i) for i in range(len(LOADS))], []

    def started(one):
        running.append(one)
        return one
    try:
        exporters = [started(Exporter(dscope, each, "fleet", load, host=host)) for each, load, host in zip(folders, LOADS, hosts)]
        pids = " || ".join(f"pid == {each.load.process.pid}" for each in exporters)
        (folder / "whole").mkdir(exist_ok=True)
        whole = started(Service(dscope, folder / "whole", "fleet", SCRIPT.replace("pid == $target", f"({pids})")))
        for each in exporters:
            each.work()
        native = started(Prometheus(folder / "native", exporters, whole, "native-histograms", "exemplar-storage"))
        classic = started(Prometheus(folder / "classic", exporters, whole, "exemplar-storage"))
        check_sums(native, classic, exporters)
        check_exemplars(native, classic)
        check_formats(exporters[0])
        check_many_clients(exporters[1])
        check_reload(exporters[0], folders[0])
    finally:
        for each in reversed(running):
            each.stop()
        for host in hosts:
            host.close()
    check_refusals(dscope, folder)
    check_overflow(dscope, folder)
    check_bundle(dscope, folder)
    check_token(dscope, folder)
    print("all checks passed")


if __name__ == "__main__":
    main()
