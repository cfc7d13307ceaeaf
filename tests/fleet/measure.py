#!/usr/bin/env python3
"""Prints the figures of docs/fleet.md: memory, cost of scrapes, cost of idle exporters, bytes. For an idle machine.

measure.py DSCOPE EXPORTERS FOLDER [SECONDS]
EXPORTERS: packaging/exporters. SECONDS: how long idle exporters are watched, 60 by default.
"""
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

from service import Service, free_port, get, rss_kib, status_of, until

FORMATS = {"text": {}, "text, gzip": {"Accept-Encoding": "gzip"}, "OpenMetrics": {"Accept": "application/openmetrics-text"},
           "protobuf": {"Accept": "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"}}
SCRAPES = 200


def cpu_ns(pid):
    """Of all threads, exact: /proc/PID/stat counts ticks."""
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in pathlib.Path(f"/proc/{pid}/task").iterdir())


def processes(service):
    return {"supervisor": service.process.pid, "server": service.server(), "tracer": service.tracer()}


def pss_kib(pid):
    return int(re.search(r"^Pss:\s*(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1])


def print_memory(service):
    for name, pid in processes(service).items():
        print(f"  {name}: RSS {rss_kib(pid) / 1024:.1f} MiB, at most {int(status_of(pid, 'VmHWM').split()[0]) / 1024:.1f}, "
              f"PSS {pss_kib(pid) / 1024:.1f} MiB")


def measure_scrapes(dscope, folder, series=2000):
    """A counter with 2,000 series."""
    code = f"import os\nfor i in range(10_000_000, {10_000_000 + series}):\n  try: os.kill(i, 0)\n  except OSError: pass\nos.getppid()"
    script = f'syscall::kill:entry /arg0 >= 10000000 && arg0 < {10_000_000 + series}/ {{ @calls[execname, arg0] = count(); }}'
    with Service(dscope, folder, "scraped", script) as service:
        subprocess.run([sys.executable, "-c", code], check=True)
        until(lambda: len(service.series("dscope_scraped_calls_total")) == series, f"{series} series")
        print(f"an exporter with {series} series:")
        print_memory(service)
        for name, headers in FORMATS.items():
            before, size = cpu_ns(service.server()), 0
            for _ in range(SCRAPES):
                size = len(get(service.base + "/metrics", **headers))
            spent = (cpu_ns(service.server()) - before) / SCRAPES / 1e6
            print(f"  a scrape as {name}: {spent:.2f} ms of CPU, {size} bytes, {size / series:.0f} per series")
        print(f"  gzip -9 of the text: {len(gzip.compress(service.get('/metrics')))} bytes")


def measure_idle(dscope, exporters, folder, seconds):
    """The shipped exporters, which nobody scrapes, and then a scrape every 15 s."""
    services = [Service(dscope, folder, script.stem, script.read_text()) for script in sorted(exporters.glob("*.d"))]
    try:
        pids = [pid for service in services for pid in processes(service).values()]
        time.sleep(3)  # the first pass
        before, begin = {pid: cpu_ns(pid) for pid in pids}, time.monotonic()
        time.sleep(seconds)
        elapsed = time.monotonic() - begin
        print(f"{len(services)} idle exporters, {elapsed:.0f} s:")
        for service in services:
            shares = {name: (cpu_ns(pid) - before[pid]) / elapsed / 1e7 for name, pid in processes(service).items()}
            print(f"  {service.script.stem}: " + ", ".join(f"{name} {share:.3f} %" for name, share in shares.items()))
        print(f"  together {sum(cpu_ns(pid) - before[pid] for pid in pids) / elapsed / 1e7:.3f} % of a CPU")
        print(f"  PSS together {sum(pss_kib(pid) for pid in pids) / 1024:.1f} MiB, "
              f"RSS together {sum(rss_kib(pid) for pid in pids) / 1024:.1f} MiB")
        for service in services:
            text = service.text()
            lines = [line for line in text.splitlines() if not line.startswith("#")]
            own = [line for line in lines if 'script="' in line]
            print(f"  {service.script.stem}: {len(lines)} series, of them {len(own)} of dscope itself, {len(text)} bytes, "
                  f"{len(service.get('/metrics', **{'Accept-Encoding': 'gzip'}))} by gzip")
    finally:
        for service in services:
            service.stop()


def measure_prometheus(dscope, folder, series=100_000):
    """Memory of Prometheus for each series of an exporter."""
    last = 10_000_000 + series
    code = f"import os\nfor i in range(10_000_000, {last}):\n  try: os.kill(i, 0)\n  except OSError: pass"
    script = f"syscall::kill:entry /arg0 >= 10000000 && arg0 < {last}/ {{ @calls[execname, arg0] = count(); }}"
    for name, options in {"without series": ["-xmetricseries=1"], f"with {series} series": [f"-xmetricseries={series}"]}.items():
        with Service(dscope, folder, "many", script, *options) as service:
            subprocess.run([sys.executable, "-c", code], check=True)
            until(lambda: service.total("dscope_many_calls_total") == series, f"{series} calls")
            config, port = folder / "memory.yml", free_port()
            config.write_text(json.dumps({"global": {"scrape_interval": "5s"}, "scrape_configs": [
                {"job_name": "dscope", "static_configs": [{"targets": [f"127.0.0.1:{service.port}"]}]}]}))
            shutil.rmtree(folder / "memory", ignore_errors=True)
            process = subprocess.Popen(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/memory",
                                        f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(60)
            head = re.search(r"^prometheus_tsdb_head_series (\S+)$", get(f"http://127.0.0.1:{port}/metrics").decode(), re.M)[1]
            print(f"Prometheus {name}: {float(head):.0f} series in its head, RSS {rss_kib(process.pid) / 1024:.0f} MiB")
            process.terminate()
            process.wait()


if __name__ == "__main__":
    program, shipped, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    work.mkdir(parents=True, exist_ok=True)
    measure_scrapes(program, work)
    measure_idle(program, shipped, work, float(sys.argv[4]) if len(sys.argv) > 4 else 60)
    if shutil.which("prometheus"):
        measure_prometheus(program, work)
