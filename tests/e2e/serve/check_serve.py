"""check_serve.py DSCOPE CASE: exits with 77 where tracing is not possible."""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "fleet"))
from service import BusyCaller, Service, skip, until  # noqa: E402

KILLER = """
import os, sys
for line in sys.stdin:
  for i in range(*map(int, line.split())):
    try: os.kill(i, 0)
    except OSError: pass
  print('done', flush=True)
"""


def started(code):
    return subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def overflow_keeps_totals(dscope, folder):
    """A table of a few elements: all updates are in a series or in the overflow, and none is dropped."""
    count, first = 5000, 10_000_000
    worker = started(KILLER)
    script = f"""
    syscall::kill:entry /pid == {worker.pid} && arg1 == 0/ {{
      @calls[arg0] = count(); @sums[arg0] = sum(arg0 - {first}); @sizes[arg0] = lquantize(arg0 - {first}, 0, 5000, 1000);
      @low[arg0] = min(arg0); @high[arg0] = max(arg0);
    }}"""
    try:
        with Service(dscope, folder, "small", script, "-xaggsize=4k") as service:
            print(first, first + count, file=worker.stdin, flush=True)
            assert worker.stdout.readline() == "done\n"
            until(lambda: service.total("dscope_small_calls_total") == count, "all calls")
            until(lambda: service.total("dscope_small_sums_total") == count * (count - 1) / 2, "the sum of all values")
            until(lambda: service.total("dscope_small_sizes_count") == count, "all values")
            until(lambda: max(service.series("dscope_small_high").values()) == first + count - 1, "the largest value")
            assert min(service.series("dscope_small_low").values()) == first
            assert service.series("dscope_small_calls_total")['overflow="true"'] > count / 2
            assert service.total("dscope_drops_total") == 0, service.series("dscope_drops_total")
    finally:
        worker.kill()
        worker.wait()


def reload_counts_each_event_once(dscope, folder):
    """Calls go on while the script is replaced: system calls and calls of a function."""
    script = """
    syscall::getppid:entry /pid == $target/ { @calls = count(); }
    syscall::getppid:return /pid == $target/ { @returns[execname] = count(); }
    pid$target:libc.so.6:getppid:entry { @functions = count(); }
    BEGIN { @begun = count(); }
    """
    with BusyCaller() as caller, Service(dscope, folder, "again", script, "-p", str(caller.pid)) as service:
        caller.start()
        for i in range(2):
            service.script.write_text(script.replace("begun", f"begun{i}"))
            service.reload()
        calls = caller.stop()

        def totals():
            return [service.total(f"dscope_again_{name}_total") for name in ("calls", "returns", "functions")]
        until(lambda: totals() == [calls] * 3, lambda: f"{calls} calls of each kind, but {totals()}", seconds=10)
        assert service.total("dscope_reloads_total") == 2


def tools_have_metric_names(dscope, folder):
    """Tools that declare metrics are served under these names and labels, in base units."""
    tools = pathlib.Path(__file__).resolve().parents[3] / "tools"
    worker = started(KILLER)
    try:
        with Service(dscope, folder, "syserrors", (tools / "syserrors.d").read_text()) as service:
            print(10_000_000, 10_000_010, file=worker.stdin, flush=True)
            assert worker.stdout.readline() == "done\n"
            owner = pathlib.Path(f"/proc/{worker.pid}/comm").read_text().strip()
            errors = f'owner="{owner}",syscall="kill",errno="ESRCH"'
            until(lambda: service.series("dscope_syserrors_total").get(errors, 0) >= 10, "the failed calls")
        with Service(dscope, folder, "syscount", (tools / "syscount.d").read_text(), "-p", str(worker.pid)) as service:
            print(10_000_000, 10_000_010, file=worker.stdin, flush=True)
            assert worker.stdout.readline() == "done\n"
            until(lambda: service.series("dscope_syscalls_total").get('key="kill"', 0) >= 10, "the calls")
            assert service.series("dscope_failed_syscalls_total")['key="kill"'] >= 10
            assert 0 < service.series("dscope_syscall_time_seconds_total")['key="kill"'] < 1
            assert 0 < service.series("dscope_syscall_longest_seconds")['key="kill"'] < 1
    finally:
        worker.kill()
        worker.wait()


if __name__ == "__main__":
    if os.geteuid() != 0 or not os.access("/sys/kernel/btf/vmlinux", os.R_OK):
        skip("needs root and a kernel with BTF")
    with tempfile.TemporaryDirectory() as folder:
        globals()[sys.argv[2]](sys.argv[1], folder)
