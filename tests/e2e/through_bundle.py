#!/usr/bin/python3
"""Runs dscope's command line through a bundle: dscope --build, then dscope-run under the name of dscope.

usage: through_bundle.py DSCOPE ARGUMENT...
Command lines that do not trace run unchanged. If DSCOPE_BUNDLE_LOG names a file, one word for each run is appended:
"direct", "bundle", or "refused" with the reason. A refused program runs unchanged.
"""
import os
import subprocess
import sys
import tempfile

PROGRAMS = "nsPmfi"
WITH_ARGUMENT = PROGRAMS + "cpobLxDUIX36"
NOT_TRACING = "lehGVaAB"
NOT_TRACING_WORDS = ("--build", "--dry-run", "--dump", "--facts", "--save-facts", "--help", "--version", "--info", "--live")
RUN_ONLY = "cpo"
BUILD_AND_RUN = "vw"


def log(text):
    path = os.environ.get("DSCOPE_BUNDLE_LOG")
    if path:
        with open(path, "a", encoding="utf-8", errors="replace") as file:
            file.write(text.replace("\n", " ") + "\n")


def split(arguments):
    """Returns the options of the build, the options of the run, operands, and the command after --; None: does not trace."""
    build, run, operands = [], [], []
    has_program = False
    index = 0
    while index < len(arguments):
        word = arguments[index]
        index += 1
        if word == "--":
            return (build, run, operands, arguments[index - 1:]) if has_program else None
        if word.startswith("--"):
            if word.split("=")[0] in NOT_TRACING_WORDS:
                return None
            build.append(word)
            if "=" not in word and index < len(arguments):
                build.append(arguments[index])
                index += 1
            continue
        if len(word) < 2 or word[0] != "-":
            operands.append(word)
            continue
        letters = word[1:]
        while letters:
            letter, letters = letters[0], letters[1:]
            if letter in NOT_TRACING:
                return None
            if letter not in WITH_ARGUMENT:
                build.append("-" + letter)
                if letter in BUILD_AND_RUN:
                    run.append("-" + letter)
                continue
            if letters:
                value, letters = letters, ""
            elif index < len(arguments):
                value = arguments[index]
                index += 1
            else:
                return None
            has_program |= letter in PROGRAMS
            if letter == "s" and value in ("-", "/dev/stdin"):
                return None
            (run if letter in RUN_ONLY else build).extend(["-" + letter, value])
            if letter == "x" and value == "destructive":
                run.append("-w")
    return (build, run, operands, []) if has_program else None


def main():
    program, arguments = sys.argv[1], sys.argv[2:]
    parts = split(arguments)
    if parts is None:
        log("direct")
        os.execv(program, [program] + arguments)
    build, run, operands, command = parts
    with tempfile.NamedTemporaryFile(suffix=".dsb", delete=False) as file:
        bundle = file.name
    os.environ["DSCOPE_BUILD_FOR_THIS_MACHINE"] = "1"
    # Probes of processes need an example of their process.
    example = [word for pair in zip(run, run[1:]) if pair[0] in ("-c", "-p") for word in pair]
    built = subprocess.run([program, "--build=" + bundle] + build + example + operands + command, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if built.returncode != 0:
        os.unlink(bundle)
        log("refused " + built.stderr)
        os.execv(program, [program] + arguments)
    log("bundle")
    # The bundle is passed as an open file, so that nothing is left if this process is killed.
    descriptor = os.open(bundle, os.O_RDONLY)
    os.unlink(bundle)
    os.set_inheritable(descriptor, True)
    runner = os.path.join(os.path.dirname(program), "dscope-run")
    os.execv(runner, ["dscope"] + run + [f"/proc/self/fd/{descriptor}"] + operands + command)


main()
