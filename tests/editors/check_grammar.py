#!/usr/bin/env python3
"""The TextMate grammar: what npm's vscode-tmgrammar-test says about the marked scripts, and no scope is invalid in tools/."""
import shutil
import subprocess
import sys

from common import ROOT, SKIPPED, expect, fresh_scratch, require


def main():
    npm = require("npm")
    folder = fresh_scratch()
    for name in ("package.json", "language-configuration.json", "syntaxes", "tests"):
        source = ROOT / "editors/vscode" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    if subprocess.run([npm, "install", "--no-audit", "--no-fund", "--silent"], cwd=folder).returncode != 0:
        print("npm cannot install vscode-tmgrammar-test")
        sys.exit(SKIPPED)
    done = subprocess.run([npm, "test", "--silent"], cwd=folder)
    expect(done.returncode == 0, "vscode-tmgrammar-test")


main()
