#!/usr/bin/env python3
"""Pushes to a receiver that decodes OTLP by a decoder of others, refuses and forgets.

check_otlp.py DSCOPE FOLDER [CHECK ...]
Exits with 77 if tracing or the decoder is missing: node with @opentelemetry/otlp-transformer in FOLDER/node_modules.
"""
import gzip
import http.server
import json
import pathlib
import shutil
import subprocess
import sys
import threading

from service import Caller, Service, calls_of, run_checks, skip, until

DECODE = """
const root = require(process.argv[1] + '/node_modules/@opentelemetry/otlp-transformer/build/src/generated/root.js');
const type = root.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const message = type.decode(Buffer.concat(chunks));
  console.log(JSON.stringify(type.toObject(message, { longs: String, enums: Number })));
});
"""


class Receiver:
    """Keeps what is posted. `statuses`: the next answers; then 200."""

    def __init__(self):
        self.requests, self.statuses = [], []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.statuses.pop(0) if receiver.statuses else 200
                if status == 200:
                    receiver.requests.append((self.path, dict(self.headers), gzip.decompress(body)))
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def decoded(folder, body):
    result = subprocess.run(["node", "-e", DECODE, "--", str(folder)], input=body, capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode()
    return json.loads(result.stdout)


def metrics_of(message):
    [resource] = message["resourceMetrics"]
    [scope] = resource["scopeMetrics"]
    return {metric["name"]: metric for metric in scope["metrics"]}


def attributes_of(holder):
    return {each["key"]: each["value"]["stringValue"] for each in holder.get("attributes", [])}


SCRIPT_OF_KINDS = """
syscall::getppid:entry /pid == %d/ {
  @calls[execname] = count(); @largest_bytes = max(77); @time = quantize(5); @steps = lquantize(15, 0, 20, 10); @mean = avg(4);
}
"""


def check_numbers(message):
    metrics = metrics_of(message)
    calls = metrics["dscope_pushed_calls"]["sum"]
    assert calls["aggregationTemporality"] == 2 and calls["isMonotonic"] is True, calls
    [point] = calls["dataPoints"]
    assert point["asInt"] == "30" and attributes_of(point) == {"execname": "python3"} or attributes_of(point)["execname"].startswith("python"), point
    assert 0 < int(point["startTimeUnixNano"]) < int(point["timeUnixNano"])
    largest = metrics["dscope_pushed_largest_bytes"]
    assert largest["unit"] == "By" and largest["gauge"]["dataPoints"][0]["asInt"] == "77", largest
    [time] = metrics["dscope_pushed_time_nanoseconds"]["histogram"]["dataPoints"]
    assert time["count"] == "30" and len(time["bucketCounts"]) == len(time["explicitBounds"]) + 1
    assert time["bucketCounts"][time["explicitBounds"].index(7)] == "30", time
    [steps] = metrics["dscope_pushed_steps"]["histogram"]["dataPoints"]
    assert steps["explicitBounds"] == [-1, 9, 19] and steps["bucketCounts"] == ["0", "0", "30", "0"], steps
    [mean] = metrics["dscope_pushed_mean"]["summary"]["dataPoints"]
    assert mean["count"] == "30" and mean["sum"] == 120, mean
    resource = attributes_of(message["resourceMetrics"][0]["resource"])
    assert resource["service.name"] == "disks" and resource["os.type"] == "linux" and resource["host.name"], resource
    assert resource["k8s.node.name"] == "node-1", resource


def check_push(dscope, folder):
    """Both encodings, the attributes, the headers and the last push at the end; without --serve, too."""
    environment = {"OTEL_SERVICE_NAME": "disks", "OTEL_RESOURCE_ATTRIBUTES": "k8s.node.name=node-1"}
    headers = folder / "headers"
    headers.write_text("Authorization: Bearer secret-word\n")
    for form in ["protobuf", "json"]:
        with Receiver() as receiver, Caller() as caller:
            service = Service(dscope, folder, "pushed", SCRIPT_OF_KINDS % caller.pid, f"--otlp-format={form}",
                              f"--otlp-header-file={headers}", "--otlp-interval=1h", serve=[f"--otlp={receiver.url}"],
                              environment=environment)
            caller.call(30)
            service.stop()
            path, sent, body = until(lambda: receiver.requests and receiver.requests[-1], "a push at the end")
            assert path == "/v1/metrics" and sent["Authorization"] == "Bearer secret-word", (path, sent)
            assert sent["Content-Type"] == ("application/json" if form == "json" else "application/x-protobuf")
            check_numbers(json.loads(body) if form == "json" else decoded(folder, body))


def check_losses(dscope, folder):
    """Refusals are retried or given up by their status, and counted; pushes go on."""
    with Receiver() as receiver, Caller() as caller:
        receiver.statuses = [503, 400]
        with Service(dscope, folder, "lost", calls_of(caller.pid), f"--otlp={receiver.url}/custom", "--otlp-interval=200ms") as service:
            caller.call(7)

            def settled():
                return service.total("dscope_otlp_failures_total") == 2 and service.total("dscope_otlp_lost_total") >= 1
            until(settled, "one attempt is repeated, one payload is lost")
            until(lambda: service.total("dscope_otlp_pushes_total") >= 2, "pushes go on")
            assert receiver.requests[0][0] == "/custom"

            def has_calls():
                calls = metrics_of(decoded(folder, receiver.requests[-1][2])).get("dscope_lost_calls")
                return calls and calls["sum"]["dataPoints"][0]["asInt"] == "7"
            until(has_calls, "7 calls")
            [pusher] = service.children("dscope-otlp")
            status = pathlib.Path(f"/proc/{pusher}/status").read_text()
            assert "CapEff:\t0000000000000000" in status and "Seccomp:\t2" in status and "Uid:\t65534" in status, status


def check_absent_receiver(dscope, folder):
    """Nobody listens: tracing and serving go on, and the queue is bounded."""
    with Caller() as caller:
        with Service(dscope, folder, "absent", calls_of(caller.pid), "--otlp=http://127.0.0.1:1", "--otlp-interval=20ms") as service:
            caller.call(3)
            until(lambda: service.total("dscope_absent_calls_total") == 3, "3 calls")
            until(lambda: service.total("dscope_otlp_lost_total") > 0, "the queue is full")
            assert service.total("dscope_otlp_waiting") <= 60
            assert service.messages().count("cannot push metrics") == 1, service.messages()


if __name__ == "__main__":
    modules = pathlib.Path(sys.argv[2])
    if not shutil.which("node") or not (modules / "node_modules/@opentelemetry/otlp-transformer").is_dir():
        skip("needs node and @opentelemetry/otlp-transformer")
    run_checks([check_push, check_losses, check_absent_receiver], sys.argv[1], modules)
