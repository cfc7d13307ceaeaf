"""What tracers could leave behind: BPF objects, breakpoints in processes, processes."""
import collections
import ctypes
import os
import re
import struct

SYS_BPF = 321
# Kind of object -> the bpf(2) command that returns the next ID, and the key of the ID in /proc/PID/fdinfo.
KINDS = {"program": (11, "prog_id"), "map": (12, "map_id"), "link": (31, "link_id")}
_libc = ctypes.CDLL(None, use_errno=True)


def bpf_ids(kind):
    """The IDs of all objects of the kind in the kernel."""
    command, _ = KINDS[kind]
    ids, last = set(), 0
    while True:
        attributes = ctypes.create_string_buffer(struct.pack("=III", last, 0, 0))
        if _libc.syscall(SYS_BPF, command, attributes, 12) != 0:
            return ids
        last = struct.unpack("=III", attributes.raw[:12])[1]
        ids.add(last)


def held_ids(kind):
    """The IDs of the objects of which any process has a descriptor."""
    key, ids = KINDS[kind][1], set()
    for pid in processes():
        for text in contents(f"/proc/{pid}/fdinfo"):
            ids.update(int(number) for number in re.findall(rf"^{key}:\s*(\d+)$", text, re.MULTILINE))
    return ids


def all_objects():
    return {(kind, number) for kind in KINDS for number in bpf_ids(kind)}


def objects_without_holder(before):
    """Objects that are newer than `before` and that no process holds."""
    new = all_objects() - before
    held = {(kind, number) for kind in KINDS for number in held_ids(kind)}
    return new - held


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def read(path):
    """The text of a file; empty if it is gone."""
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def contents(folder):
    try:
        return [read(f"{folder}/{name}") for name in os.listdir(folder)]
    except OSError:
        return []


def stat_of(pid):
    """(name, state, parent) of a process; None if it is gone."""
    text = read(f"/proc/{pid}/stat")
    if not text:
        return None
    name, rest = text[text.index("(") + 1 : text.rindex(")")], text[text.rindex(")") + 2 :].split()
    return name, rest[0], int(rest[1])


def children_of(pid):
    found = []
    for each in processes():
        stat = stat_of(each)
        if stat is not None and stat[2] == pid:
            found.append(each)
    return found


def open_descriptors(pid):
    """What the descriptors of a process lead to, each with the number of its descriptors."""
    found = collections.Counter()
    try:
        for name in os.listdir(f"/proc/{pid}/fd"):
            found[os.readlink(f"/proc/{pid}/fd/{name}")] += 1
    except OSError:
        pass
    return found


def breakpoints(pid):
    """The number of bytes of the program's code that differ from its file: uprobes that are still there."""
    path, count = os.readlink(f"/proc/{pid}/exe"), 0
    with open(path, "rb") as file, open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for line in read(f"/proc/{pid}/maps").splitlines():
            fields = line.split(maxsplit=5)
            if len(fields) < 6 or fields[5] != path or "x" not in fields[1]:
                continue
            start, end = (int(number, 16) for number in fields[0].split("-"))
            file.seek(int(fields[2], 16))
            memory.seek(start)
            wanted = file.read(end - start)
            seen = memory.read(len(wanted))
            count += sum(a != b for a, b in zip(wanted, seen))
    return count
