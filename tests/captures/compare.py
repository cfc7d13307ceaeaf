#!/usr/bin/env python3
"""Live = replay: runs scripts of tests/e2e and the tools of tools/ live while their probes are recorded, replays them over
the capture, and compares what they print, byte for byte.

  compare.py --dscope PROGRAM --triggers FOLDER [--only REGEX] [--list FILE]

A script whose probes are those of dscope itself (BEGIN, END, ERROR, tick) runs live and over a capture of another program.
Prints one line per script that differs, and, by reason, how many cannot be recorded or replayed. Exits with 1 if a
script differs that tests/captures/known.txt does not name.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
E2E = ROOT / "tests/e2e"
OWN_PROVIDERS = {"dtrace"}
FIRST_CREATED = 500001
LIMIT = 60  # seconds
SKIPPED = 77


def tag(text, name):
    """The text behind @@name in a comment; None if the script has no such tag."""
    found = re.search(r"@@" + name + r"(.*)", text)
    return found and found.group(1).split("*/")[0].strip(" :")


class Script:
    """A D program with its command line: one of tests/e2e, or a tool of tools/ with a small load."""

    def __init__(self, path, name, options, operands, command, is_test):
        self.path = path
        self.name = name
        self.options = options
        self.operands = operands
        self.target = ["-c", command] if command is not None else []
        self.environment = dict(os.environ, TZ="UTC")
        if is_test:
            self.environment["_DTRACE_TESTING"] = "1"
        # Recording a thread with all of its members takes long to compile.
        text = path.read_text(errors="replace")
        uses_thread = re.search(r"\bcur(lwp|p)sinfo\b", text)
        self.parts = "args,strings,stacks" + (",threads" if uses_thread else "")

    def arguments(self, target=()):
        return ["-s", str(self.path), *self.options, *target, *self.operands]


def scripts_of_tests(triggers):
    for path in sorted(E2E.rglob("*.d")):
        text = path.read_text(errors="replace")
        command = tag(text, "command")
        yield Script(path, str(path.relative_to(E2E)), (tag(text, "options") or "").split(), [],
                     command and command.replace("%T", triggers), tag(text, "normal") is None)


def scripts_of_tools(triggers, folder):
    for line in (pathlib.Path(__file__).parent / "tools.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        words, command = line.split(" : ", 1)
        name, *operands = words.split()
        command = command.replace("%T", triggers).replace("%F", str(folder / "written"))
        yield Script(ROOT / "tools" / (name + ".d"), "tools/" + name, [], operands, command, False)


def run(program, arguments, environment):
    try:
        done = subprocess.run([program, *arguments], env=environment, capture_output=True, timeout=LIMIT,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return done


def probes_of(program, script):
    """The descriptions of the probes that the script enables, without those of dscope itself."""
    listed = run(program, ["-l", *script.arguments(script.target)], script.environment)
    if listed is None or listed.returncode != 0:
        return None
    descriptions = []
    for line in listed.stdout.decode(errors="replace").splitlines()[1:]:
        words = line.split()
        # ID PROVIDER MODULE FUNCTION NAME, where module and function may be empty.
        if len(words) < 3 or not words[0].isdigit() or words[1] in OWN_PROVIDERS or words[-1].startswith("tick-"):
            continue
        # Probes that are created on demand have other numbers in each run.
        is_lasting = int(words[0]) < FIRST_CREATED
        fields = words[1:] if len(words) == 5 else [words[1], "", "", words[-1]]
        descriptions.append(["-i", words[0]] if is_lasting else ["-n", ":".join(fields)])
    return descriptions


def masked(text):
    """Without what differs between two runs of any program: addresses and offsets of code, and the CPU of BEGIN."""
    text = re.sub(rb"DIF offset \d+", b"DIF offset #", text)
    text = re.sub(rb"0x[0-9a-f]+", b"0x#", text)
    return re.sub(rb"(?m)^ +\d+( +\d+ +\S*:(BEGIN|END|tick-\w+) )", rb" #\1", text)


def last_line(output):
    lines = [line for line in output.decode(errors="replace").splitlines() if line and "hint:" not in line]
    return lines[-1] if lines else "no message"


def reason_of(message):
    """A class of messages: without names and places."""
    message = re.sub(r"^dscope: ", "", message)
    for known in ("is not in the capture", "cannot be replayed", "does not match any probes", "holds no", "to read from nowhere"):
        if known in message:
            part = message.split(": ")[-1]
            return part
    return re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`|\d+", "#", message)[:100]


def compare(program, script, empty_capture, folder):
    """Returns (kind, text): same, different, unrecorded, unplayed."""
    capture = str(folder / "run.dcap")
    probes = probes_of(program, script)
    if probes is None:
        return "unrecorded", "its probes cannot be listed"
    environment = script.environment
    if probes:
        if len(probes) > 1500:
            return "unrecorded", "it has more than 1500 probes"
        recording = ["--record=" + capture, "-x", "record=" + script.parts] + [word for probe in probes for word in probe]
        live = run(program, [*recording, *script.arguments(script.target)], environment)
    else:
        capture = empty_capture
        live = run(program, script.arguments(script.target), environment)
    if live is None:
        return "unrecorded", "the run takes more than a minute"
    if b"cannot attach" in live.stderr:
        return "unrecorded", "this machine cannot attach its probes"
    if probes and not os.path.exists(capture):
        return "unrecorded", reason_of(last_line(live.stderr))
    replay = run(program, ["--replay=" + capture, *script.arguments()], environment)
    if probes:
        os.unlink(capture)
    if replay is None:
        return "unplayed", "the replay takes more than a minute"
    if replay.returncode != live.returncode and replay.returncode != 0 and not replay.stdout:
        return "unplayed", reason_of(last_line(replay.stderr))
    if b"recording lost" in replay.stderr:
        return "unrecorded", "the recorder lost events"
    if masked(replay.stdout) == masked(live.stdout):
        return "same", ""
    if replay.stderr.count(b"invalid address") > live.stderr.count(b"invalid address"):
        return "unrecorded", "it reads memory of the process that no recording keeps"
    return "different", f"live {live.stdout[:200]!r}, replay {replay.stdout[:200]!r} {replay.stderr[-200:]!r}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dscope", required=True)
    parser.add_argument("--triggers", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--list", help="a file with the names of the scripts to compare")
    parser.add_argument("--same", help="write the names of the scripts that are the same to this file")
    options = parser.parse_args()
    if os.geteuid() != 0:
        print("recording needs root")
        sys.exit(SKIPPED)
    wanted = re.compile(options.only)
    named = None
    if options.list:
        named = {line.split("#")[0].strip() for line in pathlib.Path(options.list).read_text().splitlines()}
    known = {}
    for line in (pathlib.Path(__file__).parent / "known.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, why = line.split(": ", 1)
            known[name] = why
    kinds = collections.Counter()
    reasons = collections.defaultdict(list)
    failures = []
    with tempfile.TemporaryDirectory(prefix="dscope_captures_") as name:
        folder = pathlib.Path(name)
        empty = str(folder / "empty.dcap")
        subprocess.run([options.dscope, "-q", "--record=" + empty, "-n", "syscall::getpid:entry", "-x", "duration=3s"], check=True)
        for script in (*scripts_of_tests(options.triggers), *scripts_of_tools(options.triggers, folder)):
            if not wanted.search(script.name) or (named is not None and script.name not in named):
                continue
            kind, text = compare(options.dscope, script, empty, folder)
            kinds[kind] += 1
            if kind == "same" and options.same:
                with open(options.same, "a", encoding="utf-8") as same:
                    same.write(script.name + "\n")
            if kind == "different":
                mark = f" (known: {known[script.name]})" if script.name in known else ""
                print(f"{script.name}: {text}{mark}", flush=True)
                if not mark:
                    failures.append(script.name)
            elif kind != "same":
                reasons[f"{kind}: {text}"].append(script.name)
                if named is not None:
                    print(f"{script.name}: {kind}: {text}")
                    failures.append(script.name)
    for reason, names in sorted(reasons.items(), key=lambda each: -len(each[1])):
        print(f"{len(names):4}  {reason} ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})")
    print(f"{kinds['same']} the same, {kinds['different']} different, {kinds['unrecorded']} not recorded, "
          f"{kinds['unplayed']} not replayed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
