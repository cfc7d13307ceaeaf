#!/usr/bin/env python3
"""Runs clang-tidy: tidy.py BUILD_FOLDER [--changed], from the root of the tree.

Reads the commands from BUILD_FOLDER/compile_commands.json and checks every source of src, frontend, codegen and
runtime. With --changed, stdin lists changed files, and only these sources and those that include a changed file,
directly or not, are checked.

A source without findings is not checked again while its preprocessed text, its command and .clang-tidy stay the same:
BUILD_FOLDER/tidy-cache holds an empty file per clean result.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

TIDY = "clang-tidy-19"
BATCH = 12  # sources per run
FOLDERS = ("src", "frontend", "codegen", "runtime")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
FINDING = re.compile(r"^\S+:\d+:\d+: (error|warning): ")
# Keep comments, for NOLINT, and macro definitions, which some checks read.
PREPROCESS = ["-E", "-P", "-CC", "-dD", "-o", "-"]


def includes_of(path):
    """The files of the tree that `path` includes, relative to the root."""
    for name in INCLUDE.findall(path.read_text(errors="replace")):
        for folder in (path.parent, pathlib.Path("."), pathlib.Path("src")):
            candidate = pathlib.Path(os.path.normpath(folder / name))
            if candidate.is_file():
                yield candidate
                break


def with_includers(changed):
    """`changed`, and every file that includes one of them, directly or not."""
    includers = {}
    for folder in FOLDERS:
        for path in pathlib.Path(folder).rglob("*"):
            if path.suffix in (".cpp", ".c", ".h", ".def", ".inc"):
                for included in includes_of(path):
                    includers.setdefault(included, set()).add(path)
    affected, pending = set(), list(changed)
    while pending:
        path = pending.pop()
        if path not in affected:
            affected.add(path)
            pending.extend(includers.get(path, ()))
    return affected


def read_commands(build):
    """The compile command of each source: path relative to the root -> entry of the database."""
    commands = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(os.path.relpath(os.path.join(entry["directory"], entry["file"])))
        if path.parts[0] in FOLDERS and path.suffix == ".cpp":
            commands[path] = entry
    return commands


def arguments_of(entry):
    """The compiler's arguments without the names of the source and the object file."""
    words = [word for word in shlex.split(entry["command"]) if not word.endswith("/ccache")]
    for option in ("-o", "-c"):
        at = words.index(option)
        del words[at:at + 2]
    return words


def batches(sources, commands):
    """Sources of one folder that compile with equal arguments, in groups: (sources, arguments)."""
    groups = {}
    for path in sorted(sources):
        groups.setdefault((path.parent, tuple(arguments_of(commands[path]))), []).append(path)
    for (_, arguments), group in groups.items():
        for at in range(0, len(group), BATCH):
            yield group[at:at + BATCH], list(arguments)


def cache_key(source, arguments):
    """A hash of everything the findings depend on; None if the source does not compile."""
    result = subprocess.run(arguments + [str(source)] + PREPROCESS, capture_output=True)
    if result.returncode != 0:
        return None
    version = subprocess.run([TIDY, "--version"], capture_output=True).stdout
    parts = [version, pathlib.Path(".clang-tidy").read_bytes(), " ".join(arguments).encode(), result.stdout]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def run_tidy(source, arguments, build):
    """Findings in a source and all that it includes of our files; empty if none."""
    key = cache_key(source, arguments)
    clean = build / "tidy-cache" / key if key else None
    if clean and clean.exists():
        return ""
    result = subprocess.run([TIDY, "--quiet", str(source), "--"] + arguments[1:], capture_output=True, text=True)
    if result.returncode == 0 and clean:
        clean.touch()
    return "" if result.returncode == 0 else result.stdout + result.stderr


def are_all_in_headers(findings):
    return all(line.split(":", 1)[0].endswith((".h", ".def", ".inc")) for line in findings.splitlines() if FINDING.match(line))


def check(group, arguments, build):
    """Findings in a group of sources. They are checked as one, which parses their common headers once; if that finds
    anything in a source, one by one, as names of two files may clash."""
    if len(group) > 1:
        name = hashlib.sha256(" ".join(map(str, group)).encode()).hexdigest()[:16]
        joint = build / "tidy-batches" / f"{name}.cpp"
        joint.write_text("".join(f'#include "{path.resolve()}"  // NOLINT(bugprone-suspicious-include)\n' for path in group))
        findings = run_tidy(joint, arguments, build)
        if not findings or are_all_in_headers(findings):
            return findings
    return "\n".join(filter(None, (run_tidy(path.resolve(), arguments, build) for path in group)))


def main():
    build = pathlib.Path(sys.argv[1])
    commands = read_commands(build)
    sources = set(commands)
    changed = set()
    if "--changed" in sys.argv[2:]:
        changed = {pathlib.Path(line) for line in sys.stdin.read().split("\n") if line}
        if pathlib.Path(".clang-tidy") not in changed:
            sources &= with_includers(changed)
    for folder in ("tidy-cache", "tidy-batches"):
        (build / folder).mkdir(exist_ok=True)
    print(f"dev: clang-tidy on {len(sources)} of {len(commands)} sources", file=sys.stderr, flush=True)
    # Changed sources by themselves: without precompiled headers, a header that one forgets to include is missing then.
    work = [([path], arguments_of(commands[path])) for path in sorted(sources & changed)]
    work += batches(sources - changed, commands)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for findings in pool.map(lambda item: check(*item, build), work):
            if findings:
                failed += 1
                print(findings, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
