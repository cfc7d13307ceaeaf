"""Memory limits for one process and its children, by a memory cgroup of either version."""
import itertools
import os
import pathlib
import time

V1 = pathlib.Path("/sys/fs/cgroup/memory")
V2 = pathlib.Path("/sys/fs/cgroup")
_numbers = itertools.count(1)


class MemoryLimit:
    """`mib` MiB, or no limit for None. Without a memory cgroup, there is no limit either."""

    def __init__(self, mib):
        self.mib = mib if self.mechanism() != "nothing" else None
        self.group = None
        if self.mib is None:
            return
        base, name = (V1, "memory.limit_in_bytes") if self.mechanism() == "cgroup v1" else (V2, "memory.max")
        self.group = base / f"dscope-soak-{os.getpid()}-{next(_numbers)}"
        self.group.mkdir()
        (self.group / name).write_text(str(self.mib << 20))

    @staticmethod
    def mechanism():
        if os.access(V1 / "memory.limit_in_bytes", os.R_OK) and os.access(V1, os.W_OK):
            return "cgroup v1"
        controllers = V2 / "cgroup.subtree_control"
        return "cgroup v2" if controllers.exists() and "memory" in controllers.read_text() else "nothing"

    def enter(self):
        """Limits the calling process."""
        if self.group is not None:
            (self.group / "cgroup.procs").write_text(str(os.getpid()))

    def remove(self):
        """Moves the processes that are left to the group above, and removes the group."""
        if self.group is None:
            return
        deadline = time.monotonic() + 30
        while True:
            for pid in (self.group / "cgroup.procs").read_text().split():
                try:
                    (self.group.parent / "cgroup.procs").write_text(pid)
                except OSError:  # it has exited
                    pass
            try:
                return self.group.rmdir()
            except OSError:  # processes that exit keep the group busy
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def __str__(self):
        return f"{self.mib} MiB" if self.mib is not None else "no limit"
