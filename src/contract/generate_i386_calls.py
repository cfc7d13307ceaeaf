#!/usr/bin/env python3
"""Writes the rows of i386_calls.inc: names and numbers of 32-bit system calls, numbers of the 64-bit calls that do the same.

Numbers come from asm/unistd_32.h and asm/unistd_64.h of this machine. A call that only 32-bit programs have goes by the
name of the one that replaced it or, if it is none of REPLACED's, by its own (runtime/providers/syscalls_i386.inc), as do
those whose arguments are others than the 64-bit call's. Usage:
    generate_i386_calls.py > i386_calls.inc
"""
import re

HEADERS = "/usr/include/x86_64-linux-gnu/asm/unistd_%d.h"
REPLACED = {"_newselect": "select", "fadvise64_64": "fadvise64", "fstatat64": "newfstatat", "mmap2": "mmap",
            "olduname": "uname", "oldfstat": "fstat", "oldlstat": "lstat", "oldstat": "stat", "sendfile64": "sendfile",
            "sigaction": "rt_sigaction", "sigpending": "rt_sigpending", "sigprocmask": "rt_sigprocmask",
            "ugetrlimit": "getrlimit", "umount": "umount2", "waitpid": "wait4"}
# One pointer to all arguments; calls that 64-bit programs have a number for, and nothing else.
OWN = {"mmap", "select", "set_thread_area", "get_thread_area"}
# Where the arguments of the 64-bit call are, if not in the registers of their places: in another one, in two of 32 bits
# each (high:low), with a sign (sign:low), in pages (pages:low).
ARGUMENTS = {"clone": "bx cx dx di si", "fadvise64": "bx dx:cx si di", "fadvise64_64": "bx dx:cx di:si bp",
             "fallocate": "bx cx si:dx bp:di", "fanotify_mark": "bx cx si:dx di bp", "fstatfs64": "bx dx",
             "ftruncate": "bx sign:cx", "ftruncate64": "bx dx:cx", "lookup_dcookie": "cx:bx dx si", "lseek": "bx sign:cx dx",
             "mmap2": "bx cx dx si di pages:bp", "pread64": "bx cx dx di:si", "preadv": "bx cx dx di:si di",
             "preadv2": "bx cx dx di:si di bp", "pwrite64": "bx cx dx di:si", "pwritev": "bx cx dx di:si di",
             "pwritev2": "bx cx dx di:si di bp", "readahead": "bx dx:cx si", "statfs64": "bx dx",
             "sync_file_range": "bx dx:cx di:si bp", "truncate": "bx sign:cx", "truncate64": "bx dx:cx"}
# From here on, a call has the same number everywhere.
FIRST_COMMON = 424


def numbers(bits):
    with open(HEADERS % bits, encoding="ascii") as file:
        return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", file.read())}


def main():
    own, other = numbers(64), numbers(32)
    print("// Made by generate_i386_calls.py: system calls of 32-bit programs that 64-bit programs have, too.")
    print("// DS_I386_CALL(number, number in 64-bit programs, name, registers of arguments if not each in that of its place)")
    for name, number in sorted(other.items(), key=lambda item: item[1]):
        if name in OWN or number >= FIRST_COMMON:
            continue
        names = [name, REPLACED.get(name, ""), re.sub("_time64$", "", name), re.sub("(32|64)$", "", name)]
        found = next((own[each] for each in names if each in own), None)
        if found is not None:
            print(f'DS_I386_CALL({number}, {found}, "{name}", "{ARGUMENTS.get(name, "")}")')


if __name__ == "__main__":
    main()
