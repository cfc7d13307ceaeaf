#!/usr/bin/env python3
"""Services of dscope: names of containers, budgets, privileges, reloads, sockets, memory.

check_service.py DSCOPE FOLDER [CHECK ...]
Exits with 77 if tracing is not possible.
"""
import json
import os
import pathlib
import random
import re
import select
import shutil
import signal
import socket
import ssl
import subprocess
import sys

from service import CALLER, BusyCaller, Caller, Service, calls_of, get, rss_kib, run_checks, status_of, until

# ---------------------------------------------------------------- containers

def cgroup_mount():
    for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines():
        if " - cgroup2 " in line:
            return pathlib.Path(line.split()[4])
    return None


def write_docker_state(root, identity, name):
    folder = root / "var/lib/docker/containers" / identity
    folder.mkdir(parents=True)
    (folder / "config.v2.json").write_text(json.dumps({"Name": "/" + name, "Config": {"Image": "image-of-" + name}}))


# Makes a cgroup for each line, enters it in a child, which calls getppid(), and removes it at once.
SHORT_LIVED = """
import os, sys
for line in sys.stdin:
  group = line.strip()
  os.mkdir(group)
  pid = os.fork()
  if pid == 0:
    open(group + '/cgroup.procs', 'w').write(str(os.getpid()))
    os.getppid()
    os._exit(0)
  os.waitpid(pid, 0)
  os.rmdir(group)
print('done', flush=True)
"""


def check_containers(dscope, folder):
    """1,000 containers that exist for a moment have names; so does one that was there before."""
    mount = cgroup_mount()
    if mount is None:
        return print("no unified cgroup hierarchy: names of containers are not checked")
    root, top = folder / "root", mount / "dscope-test"
    shutil.rmtree(root, ignore_errors=True)
    top.mkdir(exist_ok=True)
    count = 1000
    identities = [f"{i:064x}" for i in range(1, count + 1)]
    for i, identity in enumerate(identities):
        write_docker_state(root, identity, f"name-{i}")
    old_identity = "f" * 64
    write_docker_state(root, old_identity, "old")
    old = top / f"docker-{old_identity}.scope"
    old.mkdir(exist_ok=True)
    script = """
    syscall::getppid:entry /execname == "python3" || execname == "python"/ { @named[container, image] = count(); }
    syscall::getppid:entry /container == "old" && image == "image-of-old"/ { @compared = count(); }
    """
    worker = subprocess.Popen([sys.executable, "-c", SHORT_LIVED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    inner = subprocess.Popen([sys.executable, "-c", CALLER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    (old / "cgroup.procs").write_text(str(inner.pid))
    try:
        with Service(dscope, folder, "containers", script, environment={"DSCOPE_CONTAINER_ROOT": str(root)}) as service:
            for identity in identities:
                print(top / f"docker-{identity}.scope", file=worker.stdin)
            worker.stdin.close()
            assert worker.stdout.readline() == "done\n"
            print(3, file=inner.stdin, flush=True)
            assert inner.stdout.readline() == "done\n"

            def named():
                series = service.series("dscope_containers_named_total")
                names = {m[1] for labels in series if (m := re.match(r'container="(name-\d+)",image="image-of-\1"', labels))}
                return names if len(names) >= count * 0.999 else None
            print(f"  {len(until(named, '999 names'))} of {count} short-lived containers are named")
            until(lambda: service.series("dscope_containers_compared_total") == {"": 3.0}, "comparisons in the program")
    finally:
        inner.kill()
        inner.wait()
        old.rmdir()
        top.rmdir()


# ---------------------------------------------------------------- budgets and privileges

def check_budget(dscope, folder):
    """A clause that uses too much is detached, and attached again."""
    with Caller() as caller:
        script = calls_of(caller.pid, "tick-1s { @ticks = count(); }")
        with Service(dscope, folder, "budget", script, "-xcpubudget=0.0001%", "-xcpubudgetwindow=100ms") as service:
            def suspensions():
                caller.call(20_000)
                return service.total("dscope_clause_suspensions_total") >= 2
            until(suspensions, "the clause was detached twice")
            until(lambda: "is attached again" in service.messages(), "the clause is attached again")
            assert re.search(r"clause syscall:\S+ is detached for 1 s: it used \S+ % of a CPU, and cpubudget is 0.0001 %",
                             service.messages()), service.messages()
            assert service.total("dscope_budget_calls_total") > 0


def capabilities(pid):
    return int(status_of(pid, "CapEff"), 16)


def check_privileges(dscope, folder):
    """No process of the service has capabilities while it serves; one that must attach later keeps them."""
    with Caller() as caller:
        with Service(dscope, folder, "privileges", calls_of(caller.pid)) as service:
            caller.call(5)
            until(lambda: service.total("dscope_privileges_calls_total") == 5, "5 calls")
            for pid in [service.process.pid, service.tracer(), service.server()]:
                assert capabilities(pid) == 0, (pid, status_of(pid, "Name"), hex(capabilities(pid)))
            assert int(status_of(service.tracer(), "CapPrm"), 16) == 0
            assert status_of(service.server(), "Seccomp") == "2"
            service.reload()
            caller.call(5)
            until(lambda: service.total("dscope_privileges_calls_total") == 10, "10 calls")
            assert capabilities(service.tracer()) == 0
        with Service(dscope, folder, "later", calls_of(caller.pid), "-xcpubudget=50%") as service:
            assert capabilities(service.tracer()) != 0


# ---------------------------------------------------------------- reloads

def check_reload(dscope, folder):
    """Each event counts in exactly one run while calls go on, and aggregations of unchanged clauses go on, extremes too."""
    rounds = 10
    with BusyCaller() as caller:
        script = calls_of(caller.pid, f"""
        syscall::getppid:return /pid == {caller.pid}/ {{ @returned[execname, cpu] = count(); @time = quantize(arg0); }}
        syscall::getppid:entry /pid == {caller.pid} && !once++/ {{ @smallest = min(7); @largest = max(9); }}
        """)
        with Service(dscope, folder, "reload", script) as service:
            caller.start()
            until(lambda: service.total("dscope_reload_largest") == 9, "extremes")
            for i in range(rounds):
                service.script.write_text(script + f"BEGIN {{ @begun{i} = count(); }}\n")
                service.reload()
            calls = caller.stop()
            until(lambda: service.total("dscope_reloads_total") == rounds, f"{rounds} reloads")

            def totals():
                return [service.total(f"dscope_reload_{name}") for name in ("calls_total", "returned_total", "time_nanoseconds_count")]
            until(lambda: totals() == [calls] * 3, lambda: f"{calls} calls of each kind, but {totals()}", seconds=20)
            print(f"  {calls} calls, each counted once in {rounds} reloads")
            assert service.total("dscope_reload_smallest") == 7 and service.total("dscope_reload_largest") == 9
            page = json.loads(get(service.base + "/report.json"))
            assert "calls" in json.dumps(page)
            assert b"<!doctype html>" in get(service.base + "/report.html").lower()[:200]


def check_command(dscope, folder):
    with Service(dscope, folder, "command", "syscall::getppid:entry { @ = count(); }", "-csleep 1000") as service:
        service.process.send_signal(signal.SIGHUP)
        service.wait_for("a run with a command is not read again")


# ---------------------------------------------------------------- series

def check_idle(dscope, folder):
    """Elements that do not change go, and start again from zero with a time of their own."""
    script = "syscall::kill:entry /pid == %d && arg1 == 0/ { @[arg0] = count(); }"
    code = "import os, sys\nfor line in sys.stdin:\n  try: os.kill(int(line), 0)\n  except OSError: pass\n  print('done', flush=True)\n"
    worker = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def kill(number):
        print(number, file=worker.stdin, flush=True)
        assert worker.stdout.readline() == "done\n"
    try:
        with Service(dscope, folder, "idle", script % worker.pid, "-xmetricidle=2s") as service:
            kill(4_000_001)
            until(lambda: len(service.series("dscope_idle_count_total")) == 1, "one series")

            def created():
                text = service.text(Accept="application/openmetrics-text")
                return re.findall(r'^dscope_idle_count_created\{arg0="4000001"\} (\S+)$', text, re.M)
            first = float(created()[0])

            def is_gone():
                kill(4_000_002)
                return '4000001' not in service.text()
            until(is_gone, "the series goes")
            assert "4000002" in service.text()
            kill(4_000_001)
            until(lambda: created(), "the series is back")
            assert float(created()[0]) > first
            assert service.series("dscope_idle_count_total")['arg0="4000001"'] == 1
    finally:
        worker.kill()
        worker.wait()


def check_cardinality(dscope, folder):
    """10^6 keys in a burst against metricseries=2000: exact, without drops, and in bounded memory."""
    count = 1_000_000
    code = ("import os, sys\nfirst, last = map(int, sys.stdin.readline().split())\nfor i in range(first, last):\n"
            "  try: os.kill(i, 0)\n  except OSError: pass\nprint('done', flush=True)\n")
    worker = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    script = f"syscall::kill:entry /pid == {worker.pid} && arg1 == 0/ {{ @[arg0] = count(); @sums[arg0] = sum(arg0); }}"
    try:
        with Service(dscope, folder, "many", script) as service:
            largest = 0
            first = 10_000_000
            print(first, first + count, file=worker.stdin, flush=True)
            while not select.select([worker.stdout], [], [], 0.1)[0]:
                largest = max(largest, rss_kib(service.tracer()), rss_kib(service.server()))
            until(lambda: service.total("dscope_many_count_total") == count, lambda: f"{count} calls; drops: {service.series('dscope_drops_total')}")
            until(lambda: service.total("dscope_many_sums_total") == count * first + count * (count - 1) // 2, "the sum of all values")
            series = service.series("dscope_many_count_total")
            assert len(series) == 2001, len(series)
            assert service.total("dscope_drops_total") == 0, service.series("dscope_drops_total")
            largest = max(largest, rss_kib(service.tracer()), rss_kib(service.server()))
            rest = series['overflow="true"']
            print(f"  {rest:.0f} of {count} calls in the overflow; largest RSS of a process: {largest / 1024:.1f} MiB")
            assert largest <= 64 * 1024, largest
    finally:
        worker.kill()
        worker.wait()


# ---------------------------------------------------------------- sockets

def over_unix_socket(path, request=b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        return answer


def check_unix_socket(dscope, folder):
    path = folder / "metrics.sock"
    path.unlink(missing_ok=True)
    with Service(dscope, folder, "socket", "BEGIN { @ = count(); }", serve=[f"--serve=unix:{path}"]):
        assert path.stat().st_mode & 0o777 == 0o600
        until(lambda: b"dscope_socket_count_total 1" in over_unix_socket(path), "the count")
    assert not path.exists(), "the socket stays after the end"


def check_activation(dscope, folder):
    """A socket that a service manager has opened."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    script = folder / "activated.d"
    script.write_text("BEGIN { @ = count(); }")
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    process = subprocess.Popen(["bash", "-c", f'exec 3<&{listener.fileno()} && LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', "bash", dscope,
                                "--serve=fd://3", "-s", str(script)], pass_fds=[listener.fileno()], stderr=subprocess.DEVNULL)
    listener.close()
    try:
        until(lambda: b"dscope_activated_count_total 1" in get(base + "/metrics"), "the count")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def check_tls(dscope, folder):
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
    with Service(dscope, folder, "tls", "BEGIN { @ = count(); }", f"--serve-cert={certificate}", f"--serve-key={key}") as service:
        import urllib.request
        context = ssl.create_default_context(cafile=str(certificate))
        url = f"https://localhost:{service.port}/metrics"
        until(lambda: b"dscope_tls_count_total 1" in urllib.request.urlopen(url, context=context, timeout=10).read(), "the count")
        try:
            get(service.base + "/metrics")
            raise SystemExit("served without TLS")
        except OSError:
            pass


def check_crowd(dscope, folder):
    """1,000 connections that say nothing, slow readers, and huge headers: scrapes and tracing go on."""
    with Caller() as caller, Service(dscope, folder, "crowd", calls_of(caller.pid)) as service:
        crowd = []
        for i in range(1000):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", service.port))
            crowd.append(client)
        for i, client in enumerate(crowd):
            try:
                client.send([b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20, b"GET / HTTP/1.1\r\nX: " + b"x" * 60_000][i % 2])
            except OSError:
                pass
        caller.call(1000)
        server, tracer = service.server(), service.tracer()
        for client in crowd:
            client.close()
        until(lambda: service.total("dscope_crowd_calls_total") == 1000, "1,000 calls")
        for pid in [server, tracer]:
            assert rss_kib(pid) < 64 * 1024, (pid, rss_kib(pid))


def changed_request(generator):
    """A request with random changes: bytes, repetitions, cuts, huge headers."""
    text = bytearray(b"GET /metrics?a=b%20c HTTP/1.1\r\nHost: localhost\r\nAccept: application/openmetrics-text;q=0.5, */*\r\n"
                     b"Authorization: Bearer x\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n")
    for _ in range(generator.randrange(1, 8)):
        at = generator.randrange(len(text))
        match generator.randrange(4):
            case 0: text[at] = generator.randrange(256)
            case 1: del text[at:at + generator.randrange(20)]
            case 2: text[at:at] = text[at:at + generator.randrange(40)] * generator.choice([1, 3, 2000])
            case 3: text[at:at] = generator.randbytes(generator.choice([1, 8, 5000]))
        text = text or bytearray(b"G")
    return bytes(text)


def check_garbage(dscope, folder):
    """2,000 damaged requests."""
    generator = random.Random(25)
    with Caller() as caller, Service(dscope, folder, "garbage", calls_of(caller.pid)) as service:
        server = service.server()
        for _ in range(2000):
            with socket.create_connection(("127.0.0.1", service.port)) as client:
                client.settimeout(0.05)
                try:
                    client.sendall(changed_request(generator))
                    client.recv(1000)
                except OSError:
                    pass
        caller.call(1000)
        until(lambda: service.total("dscope_garbage_calls_total") == 1000, "1,000 calls")
        assert service.server() == server and rss_kib(server) < 64 * 1024, rss_kib(server)
        print(f"  RSS of the server: {rss_kib(server) / 1024:.1f} MiB")


def check_end(dscope, folder):
    """kill -9 leaves no process."""
    service = Service(dscope, folder, "end", "syscall::getppid:entry { @ = count(); }")
    children = service.children()
    assert len(children) == 2
    service.process.kill()
    service.process.wait()
    until(lambda: not any(os.path.exists(f"/proc/{pid}") and status_of(pid, "State")[0] != "Z" for pid in children), "all processes end")


if __name__ == "__main__":
    run_checks([check_containers, check_budget, check_privileges, check_reload, check_command, check_idle, check_unix_socket,
                check_activation, check_tls, check_crowd, check_garbage, check_end, check_cardinality], sys.argv[1], sys.argv[2])
