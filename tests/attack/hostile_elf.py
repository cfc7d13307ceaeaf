#!/usr/bin/env python3
"""hostile_elf.py KIND FILE: writes an ELF file that costs its reader far more than its size suggests.

Each file is a library for x86-64 that a process can map. Its first instructions, at offset 0x1000, call getppid(2) and
return, so that a process may run them. KIND is the name of a function below.
"""
import struct
import sys

PT_LOAD, PF_RX = 1, 5
PROGBITS, SYMTAB, STRTAB, NOTE = 1, 2, 3, 7
ALLOC, CODE, COMPRESSED = 2, 6, 0x800
CODE_OFFSET = 0x1000
GETPPID = bytes.fromhex("b86e0000000f05c3")
GIB = 1 << 30


class Elf:
    """Sections are appended with add(); write() adds the tables of sections and segments."""

    def __init__(self):
        self.blob = bytearray(CODE_OFFSET)
        self.sections = []  # (name, type, flags, address, offset, size, link, info, alignment, entry size)
        self.segments = []  # (type, flags, offset, address, address, file size, memory size, alignment)
        self.names = bytearray(b"\0")
        self.add(".text", PROGBITS, GETPPID.ljust(64, b"\xc3"), flags=CODE, address=CODE_OFFSET)
        self.add_segment(CODE_OFFSET, 0x1000)

    def add(self, name, kind, data=b"", flags=0, address=0, link=0, entry_size=0, offset=None, size=None):
        """Returns the index of the new section. With `offset` and `size` it may refer to any bytes of the file."""
        at = len(self.names)
        self.names += name.encode() + b"\0"
        if offset is None:
            self.blob += bytes(-len(self.blob) % 8)
            offset = len(self.blob)
            self.blob += data
        size = len(data) if size is None else size
        self.sections.append((at, kind, flags, address, offset, size, link, 0, 4 if kind == NOTE else 8, entry_size))
        return len(self.sections)

    def add_segment(self, address, size, offset=CODE_OFFSET):
        self.segments.append((PT_LOAD, PF_RX, offset, address, address, size, size, 0x1000))

    def add_symbols(self, symbols):
        """`symbols`: (name, address, size) of functions."""
        strings, table = bytearray(b"\0"), bytearray(24)
        for name, address, size in symbols:
            table += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, address, size)
            strings += name.encode() + b"\0"
        link = self.add(".strtab", STRTAB, strings)
        self.add(".symtab", SYMTAB, table, link=link, entry_size=24)

    def add_probes(self, probes):
        """`probes`: (provider, name, address, operands) of static probes."""
        notes = bytearray()
        for provider, name, address, operands in probes:
            content = struct.pack("<QQQ", address, 0, 0)
            content += b"".join(text.encode() + b"\0" for text in (provider, name, operands))
            notes += struct.pack("<III", 8, len(content), 3) + b"stapsdt\0" + content + bytes(-len(content) % 4)
        self.add(".note.stapsdt", NOTE, notes)

    def write(self, path, sparse_size=0, section_count=None):
        """`sparse_size`: the file is extended to this size without data. `section_count`: what the header claims."""
        self.blob += bytes(-len(self.blob) % 8)
        segments_at = len(self.blob)
        for segment in self.segments:
            self.blob += struct.pack("<IIQQQQQQ", *segment)
        self.add(".shstrtab", STRTAB, self.names + b".shstrtab\0")
        self.blob += bytes(-len(self.blob) % 8)
        sections_at = len(self.blob)
        count, names, segments = section_count or len(self.sections) + 1, len(self.sections), len(self.segments)
        # Numbers that do not fit the header are in section 0.
        many_sections, many_segments = count >= 0xFF00, segments >= 0xFFFF
        first = (0, 0, 0, 0, 0, count if many_sections else 0, names if many_sections else 0,
                 segments if many_segments else 0, 0, 0)
        for section in [first] + self.sections:
            self.blob += struct.pack("<IIQQQQIIQQ", *section)
        self.blob[:64] = b"\x7fELF\x02\x01\x01".ljust(16, b"\0") + struct.pack(
            "<HHIQQQIHHHHHH", 3, 62, 1, CODE_OFFSET, segments_at, sections_at, 0, 64, 56,
            0xFFFF if many_segments else segments, 64, 0 if many_sections else count, 0xFFFF if many_sections else names)
        with open(path, "wb") as file:
            file.write(self.blob)
            if sparse_size:
                file.truncate(sparse_size)


def functions(count, address=CODE_OFFSET, step=1, size=1):
    return [(f"f{i:06}", address + i * step, size) for i in range(count)]


# Bombs: a small file, or one without data on the disk, that becomes gigabytes in memory.

def sparse_debugdata(path):
    elf = Elf()
    elf.add(".gnu_debugdata", PROGBITS, offset=1 << 20, size=GIB)
    elf.write(path, sparse_size=GIB + (2 << 20))


def sparse_symbols(path):
    elf = Elf()
    names = elf.add(".strtab", STRTAB, b"\0work\0")
    elf.add(".symtab", SYMTAB, offset=1 << 20, size=3 * GIB // 24 * 24, link=names, entry_size=24)
    elf.write(path, sparse_size=3 * GIB + (2 << 20))


def many_sections(path):
    elf = Elf()
    elf.write(path, sparse_size=64 * GIB, section_count=400_000_000)


def compressed_types(path):
    """Debug information that claims to be 4 GB uncompressed."""
    elf = Elf()
    header = struct.pack("<IIQQ", 1, 0, 4 * GIB - 1, 1)
    elf.add(".debug_info", PROGBITS, header + bytes(20_000), flags=COMPRESSED)
    elf.add(".debug_abbrev", PROGBITS, bytes(8))
    elf.write(path)


def compressed_names(path):
    """A string table that claims to be 4 GB uncompressed."""
    elf = Elf()
    names = elf.add(".strtab", STRTAB, struct.pack("<IIQQ", 1, 0, 4 * GIB - 1, 1) + bytes(20_000), flags=COMPRESSED)
    elf.add(".dynamic", 6, struct.pack("<QQ", 29, 1), link=names, entry_size=16)
    elf.write(path)


def debug_link(path):
    """Names the debug file `bomb.debug` beside it."""
    elf = Elf()
    elf.add(".gnu_debuglink", PROGBITS, b"bomb.debug\0\0" + struct.pack("<I", 1))
    elf.write(path)


# Mangled names that become gigabytes, or that overflow the stack of the demangler.

def mangled_names(path):
    def reference(i):
        """The text that refers to part `i` of the name: S_, S0_ ... S9_, SA_ ..."""
        digits, text = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""
        while i > 0:
            i -= 1
            text, i = digits[i % 36] + text, i // 36
        return f"S{text}_"

    # Each argument contains the one before it twice.
    doubling = "_Z1fI1A1PIS0_S0_E"
    for i in range(1, 40):
        doubling += f"S1_I{reference(i + 2)}{reference(i + 2)}E"
    nested = "_Z1f" + "P" * 200_000 + "i"
    elf = Elf()
    elf.add_symbols([(doubling + "Evv", CODE_OFFSET, 32), (nested, CODE_OFFSET + 32, 32)])
    elf.write(path)


# Quadratic cases: each is a list of things that a simple reader searches once for each of another list.

def probes_by_symbols(path):
    elf = Elf()
    elf.add_segment(0x100000, GIB)
    elf.add_symbols(functions(200_000, 0x100000))
    operands = " ".join(f"8@unknown{i}(%rip)" for i in range(12))
    elf.add_probes(("hostile", f"p{i}", 0x100000 + i, operands) for i in range(2_000))
    elf.write(path)


def probes_by_segments(path):
    elf = Elf()
    elf.segments = [(PT_LOAD, PF_RX, 0, 0x100000000 + i, 0, 0, 0, 0x1000) for i in range(60_000)] + elf.segments
    elf.add_probes(("hostile", f"p{i}", CODE_OFFSET + i % 64, "") for i in range(60_000))
    elf.write(path)


def probes_by_definitions(path):
    """As many probes as there are: a list of them must not be searched for each."""
    elf = Elf()
    elf.add_probes(("hostile", f"p{i}", CODE_OFFSET + i % 64, "") for i in range(60_000))
    elf.write(path)


def stubs_by_segments(path):
    elf = Elf()
    for _ in range(400):
        elf.add_segment(0, GIB, offset=0)
    elf.add_symbols([("__dtrace_hostile___p", CODE_OFFSET, 64)])
    elf.add_probes([("hostile", "p", CODE_OFFSET, "")])
    elf.write(path, sparse_size=GIB)


def stubs_by_calls(path):
    """Each of many calls may reach any of many stubs."""
    elf = Elf()
    count = 20_000
    base = 0x10000000
    code = bytearray()
    for i in range(count):
        code += b"\xe8" + struct.pack("<i", (CODE_OFFSET + i % 64) - (base + len(code) + 5))
    elf.add(".text.calls", PROGBITS, code, flags=CODE, address=base)
    elf.add_segment(base, len(code), offset=elf.sections[-1][4])
    elf.add_symbols([("__dtrace_hostile___p", CODE_OFFSET, 64)])
    elf.add_probes(("hostile", f"p{i}", CODE_OFFSET + i % 64, "") for i in range(count))
    elf.write(path)


def frames_by_sections(path):
    elf = Elf()
    for i in range(60_000):
        elf.add(".t", PROGBITS, flags=CODE, address=0x10000000 + i, offset=0, size=1)
    frames = bytearray(struct.pack("<II", 13, 0) + b"\x01\0\x01\x78\x10" + bytes(4))
    for i in range(200_000):
        frames += struct.pack("<IIQQ", 20, len(frames) + 4, CODE_OFFSET + 16 * i, 8)
    elf.add(".eh_frame", PROGBITS, frames, flags=ALLOC, address=0x400000)
    elf.write(path)


def symbols_at_one_address(path):
    elf = Elf()
    elf.add_symbols(functions(200_000, step=0, size=0))
    elf.write(path)


def symbols_by_segments(path):
    elf = Elf()
    elf.segments = [(PT_LOAD, PF_RX, 0, 0x100000000 + i, 0, 0, 0, 0x1000) for i in range(60_000)]
    elf.add_segment(0x100000, GIB)
    for i in range(60_000):
        elf.add(".t", PROGBITS, flags=CODE, address=0x200000000 + i, offset=0, size=0)
    elf.add_symbols(functions(100_000, 0x100000, size=0))
    elf.write(path)


def overlapping_functions(path):
    """20,000 functions of 1 MiB, each one byte after the other."""
    elf = Elf()
    code = b"\x90" * (1 << 20) + b"\xc3" * 1024
    elf.add(".text.long", PROGBITS, code, flags=CODE, address=0x100000)
    elf.add_segment(0x100000, len(code), offset=elf.sections[-1][4])
    elf.add_symbols(functions(20_000, 0x100000, size=1 << 20))
    elf.write(path)


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
