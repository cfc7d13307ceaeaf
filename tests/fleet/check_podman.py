#!/usr/bin/env python3
"""Real containers of podman and runc have their names, from the start to after their end.

check_podman.py DSCOPE FOLDER
Exits with 77 if tracing, podman, runc or a static busybox is missing, or if podman cannot start a container here.
"""
import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from service import Service, run_checks, skip, until

IMAGE = "localhost/dscope-test:1"
SCRIPT = """
syscall::write:entry /execname == "busybox" || execname == "sh"/ { @named[container, image] = count(); }
syscall::write:entry /container == "web-2"/ { @compared = count(); }
"""
# Containers must not inherit limits that this machine may not raise.
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1000:1000"]


class Podman:
    """Keeps everything in a folder, which dscope searches instead of the root. podman refuses folders with long names."""

    def __init__(self, folder):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="podman-", dir="/tmp"))
        image = folder / "image"
        (image / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(shutil.which("busybox"), image / "bin/busybox")
        archive = subprocess.run(["tar", "-C", image, "-c", "."], check=True, capture_output=True).stdout
        self.run("import", "-", IMAGE, input=archive)

    def run(self, *arguments, **options):
        storage = ["--root", self.root / "var/lib/containers/storage", "--runroot", self.root / "run/containers/storage"]
        return subprocess.run(["podman", *storage, "--storage-driver", "vfs", "--cgroup-manager", "cgroupfs", "--runtime", "runc",
                               *arguments], capture_output=True, **options)

    def start(self, name, shell_command):
        return self.run("run", "--rm", "--network", "none", *LIMITS, "--name", name, IMAGE, "/bin/busybox", "sh", "-c", shell_command)

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def check_podman(dscope, folder):
    with contextlib.closing(Podman(folder)) as podman:
        check_names(dscope, folder, podman)


def check_names(dscope, folder, podman):
    first = podman.start("web-0", "echo 1")
    if first.returncode != 0:
        skip("podman cannot start a container here: " + first.stderr.decode().strip())
    names = [f"web-{i}" for i in range(1, 6)]
    with Service(dscope, folder, "real", SCRIPT, environment={"DSCOPE_CONTAINER_ROOT": str(podman.root)}) as service:
        for name in names:
            assert podman.start(name, "for i in 1 2 3; do echo $i; done").stdout == b"1\n2\n3\n"

        def found():
            series = service.series("dscope_real_named_total")
            counts = {m[1]: count for labels, count in series.items()
                      if (m := re.fullmatch(rf'container="(web-\d)",image="{IMAGE}"', labels))}
            return counts if sorted(counts) == names else None
        print("  writes of containers:", until(found, "all names"))
        until(lambda: service.total("dscope_real_compared_total") >= 3, "comparisons in the program")


if __name__ == "__main__":
    if not all(shutil.which(program) for program in ["podman", "runc", "busybox"]):
        skip("needs podman, runc and a static busybox")
    run_checks([check_podman], sys.argv[1], pathlib.Path(sys.argv[2]))
