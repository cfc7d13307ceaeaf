#!/usr/bin/env python3
"""A day of an exporter in some minutes: reloads and scrapes without growth in memory or descriptors.

check_soak.py DSCOPE FOLDER [ROUNDS]
A round is a reload and ten scrapes in all formats; 10,000 rounds are 24 hours with a reload every 9 s.
"""
import os
import pathlib
import sys
import time

from service import Caller, Service, calls_of, cpu_seconds, descriptors, get, rss_kib, skip, until

FORMATS = ["text/plain", "application/openmetrics-text", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"]


class Sizes:
    """Memory and descriptors of the processes that stay, and of the tracer of the moment."""

    def __init__(self, service):
        pids = [service.process.pid, service.server(), service.tracer()]
        self.memory = [rss_kib(pid) for pid in pids]
        self.descriptors = [descriptors(pid) for pid in pids]

    def __repr__(self):
        return f"RSS {self.memory} KiB, descriptors {self.descriptors} (supervisor, server, tracer)"


def settled_sizes(service):
    """The run before must have ended."""
    until(lambda: len(service.children()) == 2, "one tracer and one server")
    return Sizes(service)


def main():
    dscope, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    if os.geteuid() != 0 or not os.access("/sys/kernel/btf/vmlinux", os.R_OK):
        skip("needs root and a kernel with BTF")
    folder.mkdir(parents=True, exist_ok=True)
    warm_up = max(5, rounds // 20)
    begin = time.monotonic()
    with Caller() as caller, Service(dscope, folder, "soak", calls_of(caller.pid, "profile-1 { @[stack()] = count(); }")) as service:
        first = None
        for i in range(rounds):
            if i == warm_up:
                first = settled_sizes(service)
                print(f"after {i} rounds: {first}", flush=True)
            caller.call(10)
            service.reload()
            for scrape in range(10):
                get(service.base + "/metrics", Accept=FORMATS[scrape % len(FORMATS)])
        total = until(lambda: service.total("dscope_soak_calls_total") == service.total("dscope_soak_calls_total") and
                      service.total("dscope_reloads_total") == rounds and service.total("dscope_soak_calls_total"), "the counters")
        last = settled_sizes(service)
        print(f"after {rounds} rounds: {last}; {total:.0f} of {rounds * 10} calls; {time.monotonic() - begin:.0f} s")
        print(f"CPU of the server: {cpu_seconds(service.server()) / rounds * 1e3:.1f} ms per round")
        assert total <= rounds * 10
        for before, after in zip(first.memory, last.memory):
            assert after <= before * 1.1 + 2048, (first, last)
        assert last.descriptors == first.descriptors, (first, last)


if __name__ == "__main__":
    main()
