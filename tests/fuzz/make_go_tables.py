#!/usr/bin/env python3
"""Writes small .gopclntab sections of each layout into a folder: the seeds of go_table_fuzzer."""
import struct
import sys

BEGIN = 0x401000
FUNCTIONS = [(0, b"main.main"), (0x40, b"main.(*Cart[int]).Total"), (0xa0, b"runtime.goexit")]
END = 0x100


def records(address_of, address_format, base, names_at):
    """The records of the functions and their offsets from `base`."""
    data, offsets, name = b"", [], names_at
    for start, text in FUNCTIONS:
        offsets.append(base + len(data))
        data += struct.pack(address_format, address_of(start)) + struct.pack("<I", name) + bytes(28)
        name += len(text) + 1
    return data, offsets


def names():
    return b"".join(text + b"\0" for _, text in FUNCTIONS)


def go12():
    header = struct.pack("<IHBBQ", 0xfffffffb, 0, 1, 8, len(FUNCTIONS))
    table_size = len(FUNCTIONS) * 16 + 8
    names_at = len(header) + table_size
    data, offsets = records(lambda start: BEGIN + start, "<Q", names_at + len(names()), names_at)
    table = b"".join(struct.pack("<QQ", BEGIN + start, at) for (start, _), at in zip(FUNCTIONS, offsets))
    return header + table + struct.pack("<Q", BEGIN + END) + names() + data


def later(mark, entry, entry_format, own_format, has_text):
    fields = 1 + 1 + (1 if has_text else 0) + 5
    header_size = 8 + fields * 8
    names_at, table_at = header_size, header_size + len(names())
    entry_size = struct.calcsize(entry_format)
    data, offsets = records(entry, own_format, len(FUNCTIONS) * entry_size + entry_size, 0)
    table = b"".join(struct.pack(entry_format, entry(start), at) for (start, _), at in zip(FUNCTIONS, offsets))
    table += struct.pack(entry_format, entry(END), 0)
    words = [len(FUNCTIONS), 1] + ([BEGIN] if has_text else []) + [names_at, 0, 0, 0, table_at]
    return struct.pack("<IHBB", mark, 0, 1, 8) + struct.pack(f"<{len(words)}Q", *words) + names() + table + data


def main(folder):
    tables = {
        "go12": go12(),
        "go116": later(0xfffffffa, lambda start: BEGIN + start, "<QQ", "<Q", False),
        "go118": later(0xfffffff0, lambda start: start, "<II", "<I", True),
    }
    for name, data in tables.items():
        with open(f"{folder}/{name}", "wb") as file:
            file.write(data)


main(sys.argv[1])
