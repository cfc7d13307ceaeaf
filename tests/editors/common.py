"""What the tests of editors and shells share."""
import os
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
SCRATCH = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
SKIPPED = 77


def require(program):
    """The path of a program; without it, the test is skipped."""
    path = shutil.which(program)
    if path is None:
        print(f"{program} is not installed: ./dev editors installs it")
        sys.exit(SKIPPED)
    return path


def fresh_scratch():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    return SCRATCH


def expect(condition, text):
    if not condition:
        sys.exit(f"failed: {text}")


def environment():
    """The program under test as `dscope`, found in the PATH."""
    folder = SCRATCH / "bin"
    folder.mkdir(exist_ok=True)
    link = folder / "dscope"
    if not link.exists():
        link.symlink_to(PROGRAM)
    # Its own terminal settings, no user's configuration.
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(SCRATCH), "TERM": "dumb",
            "XDG_CONFIG_HOME": str(SCRATCH / "config"), "XDG_DATA_HOME": str(SCRATCH / "data"),
            "XDG_STATE_HOME": str(SCRATCH / "state"), "LC_ALL": "C.UTF-8"}
