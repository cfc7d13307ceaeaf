#!/usr/bin/env python3
"""Writes the rows of i386_calls.inc: numbers of 32-bit system calls and of the 64-bit calls of the same name.

Numbers come from asm/unistd_32.h and asm/unistd_64.h of this machine. Calls that only 32-bit programs have are those that
replaced them, or nothing. Usage:
    generate_i386_calls.py > i386_calls.inc
"""
import re

HEADERS = "/usr/include/x86_64-linux-gnu/asm/unistd_%d.h"
REPLACED = {"_llseek": "lseek", "_newselect": "select", "fadvise64_64": "fadvise64", "fstatat64": "newfstatat",
            "mmap2": "mmap", "olduname": "uname", "oldfstat": "fstat", "oldlstat": "lstat", "oldstat": "stat",
            "readdir": "getdents", "sendfile64": "sendfile", "sigaction": "rt_sigaction", "sigpending": "rt_sigpending",
            "sigprocmask": "rt_sigprocmask", "sigreturn": "rt_sigreturn", "sigsuspend": "rt_sigsuspend",
            "ugetrlimit": "getrlimit", "umount": "umount2", "waitpid": "wait4"}


def numbers(bits):
    with open(HEADERS % bits, encoding="ascii") as file:
        return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", file.read())}


def main():
    own, other = numbers(64), numbers(32)
    print("// Made by generate_i386_calls.py: DS_I386_CALL(number of a 32-bit call, number of the same for 64 bits)")
    for name, number in sorted(other.items(), key=lambda item: item[1]):
        names = [name, REPLACED.get(name, ""), re.sub("_time64$", "", name), re.sub("(32|64)$", "", name)]
        found = next((own[each] for each in names if each in own), None)
        if found is not None:
            print(f"DS_I386_CALL({number}, {found})  // {name}")


if __name__ == "__main__":
    main()
