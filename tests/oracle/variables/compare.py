#!/usr/bin/env python3
"""Compares the variables of user programs in dscope with those in gdb.

For each line of a source file, both print the local variables when the line is reached first: gdb at its breakpoint,
dscope at its probe. Where gdb moves a breakpoint to another line, it stops at the instructions of the line instead. A pair of line and variable counts if gdb prints its value, a number or a pointer; it is equal if
dscope prints the same one. Run as root; needs gdb. Example:

  tests/oracle/variables/compare.py --dscope build/dev/src/driver/dscope --minimum 95 -- PROGRAM [ARGUMENT...]
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

BATCH = 60  # variables in one run of dscope

# Runs in gdb. Breakpoints are disabled once the line was seen in a function.
GDB_SCRIPT = r'''
import gdb, json, re
functions, output, limit = json.loads(%(functions)r), %(output)r, %(limit)d  # functions: [file, line, [name]]
gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set breakpoint pending off")
gdb.execute("set disable-randomization on")
gdb.execute("set exec-wrapper env -i")
gdb.execute("starti", to_string=True)  # addresses are final from here on
points, moved = {}, 0

def addresses_of(file, line):
    found = set()
    for sal in gdb.decode_line("%%s:%%d" %% (file, line))[1] or ():
        table = sal.symtab.linetable() if sal.symtab is not None else None
        found |= {entry.pc for entry in (table.line(line) or ())} if table is not None else set()
    return found

def is_behind_prologue(file, line, address):
    sal, function = gdb.find_pc_line(address), gdb.block_for_pc(address).function
    producer = (sal.symtab.producer or "") if sal.symtab is not None else ""
    levels = re.findall(r" -O(\S*)", producer)
    return producer.startswith("GNU") and (not levels or levels[-1] == "0") and function.line == line

for file, line, _ in functions:
    try:
        addresses = addresses_of(file, line)
        point = gdb.Breakpoint("%%s:%%d" %% (file, line))
        if all(at.address in addresses or is_behind_prologue(file, line, at.address) for at in point.locations):
            points[point.number] = (file, line)
            continue
        # gdb moves breakpoints behind the prologue of the function, also from optimized code that is nowhere near.
        point.delete()
        moved += 1
        for address in addresses:
            points[gdb.Breakpoint("*%%d" %% address).number] = (file, line)
    except gdb.error:
        pass
hits = []
gdb.events.stop.connect(lambda event: hits.extend(event.breakpoints) if isinstance(event, gdb.BreakpointEvent) else None)
SCALARS = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_PTR)
rows, seen = [], set()

def locals_of(frame):
    try:
        block = frame.block()
    except RuntimeError:
        return
    names = set()
    while block is not None and not block.is_static and not block.is_global:
        for symbol in block:
            if (symbol.is_variable or symbol.is_argument) and symbol.name not in names:
                names.add(symbol.name)
                yield symbol
        if block.function is not None:
            return
        block = block.superblock

def plain_name(name):
    return re.sub(r"<.*|\(.*", "", name or "?").split("::")[-1]

# The frame of the function whose source has the line: its instruction may belong to a function that is inlined there.
def frame_of_line(frame, names):
    at = frame
    while at is not None and plain_name(at.name()) not in names:
        at = at.older() if at.type() == gdb.INLINE_FRAME else None
    return at if at is not None else frame

names_of = {(file, line): names for file, line, names in functions}
gdb.execute("continue", to_string=True)
for _ in range(limit):
    try:
        innermost = gdb.selected_frame()
    except gdb.error:
        break
    for point in hits:
        file, line = points[point.number]
        frame = frame_of_line(innermost, names_of[file, line])
        function = frame.name() or "?"
        key = (file, line, function)
        if key in seen:
            point.enabled = len(point.locations) > 1 if hasattr(point, "locations") else True
            continue
        seen.add(key)
        for symbol in locals_of(frame):
            try:
                value = symbol.value(frame)
                kind = value.type.strip_typedefs()
                if value.is_optimized_out or kind.code not in SCALARS or kind.sizeof > 8:
                    continue
                rows.append([file, line, function, symbol.name, int(value) & ((1 << 8 * kind.sizeof) - 1), kind.sizeof])
            except (gdb.error, gdb.MemoryError, OverflowError):
                continue
    hits.clear()
    try:
        gdb.execute("continue", to_string=True)
    except gdb.error:
        break
json.dump({"rows": rows, "moved": moved}, open(output, "w"))
'''


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dscope", required=True)
    parser.add_argument("--file", default="*", help="source files, a pattern")
    parser.add_argument("--module", default="a.out")
    parser.add_argument("--minimum", type=float, default=0, help="fail below this percentage")
    parser.add_argument("--max-lines", type=int, default=2000)
    parser.add_argument("--verbose", action="store_true", help="print the pairs that differ")
    parser.add_argument("command", nargs="+")
    return parser.parse_args()


def run_dscope(options, arguments):
    # No address randomization and no environment, as in gdb.
    words = ["env", "-i", "setarch", "-R", options.dscope, "-q", *arguments,
             "-c", " ".join(options.command)]
    return subprocess.run(words, capture_output=True, text=True, timeout=600)


def list_probes(options):
    """The probes of all lines: (file, line, name) -> [(variable, type)] that -lv shows."""
    found = subprocess.run([options.dscope, "-lv", "-n", f"pid$target:{options.module}:{options.file}@*:",
                            "-c", " ".join(options.command)], capture_output=True, text=True, timeout=600)
    if found.returncode != 0:
        sys.exit(f"dscope -lv failed: {found.stderr}")
    probes, current = collections.OrderedDict(), None
    for text in found.stdout.splitlines():
        head = re.match(r"pid\d+:[^:]*:([^:]+)@(\d+):(.+) \(\)$", text)
        variable = re.match(r"\t(.*?)\$(\w+)(.*)$", text)
        if head:
            current = (head[1], int(head[2]), head[3].strip())
            probes[current] = []
        elif variable and current is not None:
            probes[current].append((variable[2], variable[1] + variable[3]))
    return probes


def ask_gdb(options, functions):
    with tempfile.TemporaryDirectory() as folder:
        script, output = os.path.join(folder, "compare_gdb.py"), os.path.join(folder, "rows.json")
        with open(script, "w") as file:
            file.write(GDB_SCRIPT % {"functions": json.dumps(functions), "output": output, "limit": 200000})
        done = subprocess.run(["gdb", "-nx", "-batch", "-x", script, "--args", *options.command],
                              capture_output=True, text=True, timeout=3000)
        if not os.path.exists(output):
            sys.exit(f"gdb failed: {done.stderr[-2000:]}")
        with open(output) as file:
            return json.load(file)


def ask_dscope(options, wanted):
    """wanted: (file, line, name, variable) of probes. Returns the numbers by the same keys."""
    values = {}

    def ask(keys):
        counters, script = {}, []
        for index, (file, line, name, variable) in enumerate(keys):
            seen = counters.setdefault((file, line, name), f"seen{len(counters)}")
            script.append(f"pid$target:{options.module}:{file}@{line}:{name} /{seen} == 0/ "
                          f'{{ printf("{index} %d\\n", (int64_t)${variable}); }}')
        for (file, line, name), seen in counters.items():
            script.append(f"pid$target:{options.module}:{file}@{line}:{name} {{ {seen} = 1; }}")
        script[:0] = [f"int {seen};" for seen in counters.values()]
        done = run_dscope(options, ["-n", "\n".join(script)])
        dead = re.search(r"\$(\w+) cannot be read at ([^:\s]+)@(\d+):([^:]+):", done.stderr)
        if done.returncode != 0 and dead:
            name = (dead[2], int(dead[3]), dead[4], dead[1])
            rest = [key for key in keys if key != name]
            if len(rest) < len(keys):
                return ask(rest) if rest else None
        if done.returncode != 0 and len(keys) > 1:  # one of them does not compile
            ask(keys[:len(keys) // 2])
            ask(keys[len(keys) // 2:])
            return None
        if done.returncode != 0 and options.verbose:
            print(f"{keys[0]}: {done.stderr.strip()[:300]}")
        for text in done.stdout.splitlines():
            match = re.match(r"(\d+) (-?\d+)$", text)
            if match:
                values[keys[int(match[1])]] = int(match[2])
        return None

    for begin in range(0, len(wanted), BATCH):
        ask(wanted[begin:begin + BATCH])
    return values


def find_probe(probes, file, line, function):
    """gdb and dscope may differ on the function of the first instruction of inlined code."""
    name = re.sub(r"<.*|\(.*", "", function).split("::")[-1]
    here = [key for key in probes if key[:2] == (file, line)]
    exact = [key for key in here if re.sub("<.*", "", key[2]) == name]
    return exact[0] if exact else here[0] if len(here) == 1 else None


def main():
    options = parse_arguments()
    probes = list_probes(options)
    lines = sorted({(file, line) for file, line, _ in probes})[:options.max_lines]
    names = [(*line, [re.sub("<.*", "", key[2]) for key in probes if key[:2] == line]) for line in lines]
    answer = ask_gdb(options, names)
    rows = answer["rows"]
    keys = [find_probe(probes, file, line, function) for file, line, function, *_ in rows]
    wanted = [(*key, row[3]) for key, row in zip(keys, rows) if key is not None]
    values = ask_dscope(options, wanted)
    total, equal, reasons = 0, 0, collections.Counter()
    for key, (file, line, function, variable, number, size) in zip(keys, rows):
        total += 1
        own = values.get((*key, variable)) if key is not None else None
        if own is not None and own & ((1 << 8 * size) - 1) == number:
            equal += 1
            continue
        reasons["not readable" if own is None else "another value"] += 1
        if options.verbose:
            print(f"{file}:{line} {function} {variable}: gdb {number:#x}, dscope "
                  f"{'nothing' if own is None else hex(own & ((1 << 8 * size) - 1))}")
    share = 100 * equal / total if total else 0
    print(f"{' '.join(options.command)}: {equal} of {total} pairs are equal, {share:.1f} %; "
          f"{len(lines)} lines; {dict(reasons)}; gdb moved the breakpoints of {answer['moved']} lines to other lines: "
          "compared at the lines themselves")
    return 0 if total and share >= options.minimum else 1


if __name__ == "__main__":
    sys.exit(main())
