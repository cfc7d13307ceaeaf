#!/usr/bin/env python3
"""Completion in fish: `complete --do-complete` prints what the tab key would offer."""
import subprocess

from common import ROOT, environment, expect, fresh_scratch, require

LINES = {
    "dscope --d": {"--dry-run", "--dump="},
    "dscope -x bufpolicy=": {"bufpolicy=fill", "bufpolicy=ring", "bufpolicy=switch"},
    "dscope --format=c": {"--format=csv"},
    "dscope -n syscall::openat2:": {"syscall::openat2:entry", "syscall::openat2:return"},
    "dscope -n 'syscall::openat2:": {"syscall::openat2:entry", "syscall::openat2:return"},
    "dscope -X ": {"a", "c", "s", "t"},
    "dscope -s scr": {"script.d"},
}


def main():
    fish = require("fish")
    folder = fresh_scratch()
    (folder / "script.d").write_text("BEGIN { }\n")
    for line, expected in LINES.items():
        command = f"source {ROOT / 'packaging/completions/dscope.fish'}; complete --do-complete $argv[1]"
        done = subprocess.run([fish, "--no-config", "--command", command, line], cwd=folder, env=environment(),
                              capture_output=True, text=True, timeout=60)
        found = {text.split("\t")[0].lstrip("'") for text in done.stdout.splitlines()}
        expect(found == expected, f"{line}: {found} {done.stderr}")


main()
