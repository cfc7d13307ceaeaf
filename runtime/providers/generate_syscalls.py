#!/usr/bin/env python3
"""Writes the rows of syscalls_x86_64.inc: number, name and parameters of each system call.

Names and parameters come from the tracefs events syscalls:sys_enter_* of the running kernel, numbers from
asm/unistd_64.h of this machine, from NUMBERS for calls that are newer than that header. Needs root. Usage:
    generate_syscalls.py > syscalls_x86_64.inc
"""
import ctypes
import os
import re

# Kernel names that differ from those of the header.
KERNEL_NAMES = {"stat": "newstat", "fstat": "newfstat", "lstat": "newlstat", "uname": "newuname",
                "sendfile": "sendfile64", "umount2": "umount"}
# Calls newer than the header. Each was verified to fire its event when called by this number.
NUMBERS = {"uretprobe": 335, "uprobe": 336, "cachestat": 451, "fchmodat2": 452, "map_shadow_stack": 453,
           "futex_wake": 454, "futex_wait": 455, "futex_requeue": 456, "statmount": 457, "listmount": 458,
           "lsm_get_self_attr": 459, "lsm_set_self_attr": 460, "lsm_list_modules": 461, "mseal": 462,
           "setxattrat": 463, "getxattrat": 464, "listxattrat": 465, "removexattrat": 466, "open_tree_attr": 467,
           "file_getattr": 468, "file_setattr": 469}
# Calls that a kernel may be configured without, this one perhaps: their parameters are written down here.
OPTIONAL = {
    "init_module": "void * umod, unsigned long len, const char * uargs",
    "finit_module": "int fd, const char * uargs, int flags",
    "delete_module": "const char * name_user, unsigned int flags",
    "kexec_load": "unsigned long entry, unsigned long nr_segments, struct kexec_segment * segments, unsigned long flags",
    "kexec_file_load": "int kernel_fd, int initrd_fd, unsigned long cmdline_len, const char * cmdline_ptr, "
                       "unsigned long flags",
    "lookup_dcookie": "u64 cookie64, char * buf, size_t len",
    "uselib": "const char * library",
    "map_shadow_stack": "unsigned long addr, unsigned long size, unsigned int flags",
}
# How to detect that the kernel has a call: by a file, or by calling it (or a call of the same release) with invalid
# arguments. Other calls below 449 exist in every supported kernel.
PRESENCE = {"init_module": "with_modules", "finit_module": "with_modules", "delete_module": "with_modules",
            "kexec_load": "with_kexec", "kexec_file_load": "with_kexec", "lookup_dcookie": "answers(212)",
            "uselib": "answers(134)", "uretprobe": "answers(463)", "uprobe": "answers(469)"}
FIRST_RECENT = 449


def open_tracefs():
    for path in ("/sys/kernel/tracing", "/sys/kernel/debug/tracing"):
        if os.path.isdir(path + "/events"):
            return path
    libc = ctypes.CDLL(None, use_errno=True)
    context = libc.syscall(430, b"tracefs", 1)  # fsopen
    libc.syscall(431, context, 6, None, None, 0)  # fsconfig: create
    return "/proc/self/fd/%d" % libc.syscall(432, context, 1, 0)  # fsmount


def parameters(root, name):
    with open(f"{root}/events/syscalls/sys_enter_{name}/format", encoding="ascii") as file:
        fields = re.findall(r"field:(.*?);", file.read())
    return ", ".join(field for field in fields if " common_" not in field and "__syscall_nr" not in field)


def presence(name, number):
    return PRESENCE.get(name) or (f"answers({number})" if number >= FIRST_RECENT else "always")


def main():
    root = open_tracefs()
    prefix = "sys_enter_"
    events = [entry[len(prefix):] for entry in os.listdir(root + "/events/syscalls") if entry.startswith(prefix)]
    with open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", encoding="ascii") as file:
        numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", file.read())}
    numbers = {KERNEL_NAMES.get(name, name): number for name, number in numbers.items()} | NUMBERS
    print("// Made by generate_syscalls.py: system calls of x86_64 by name, as the kernel calls them.")
    print("// DS_SYSCALL(number, name, presence, parameters)")
    for name in sorted(set(events) | set(OPTIONAL)):
        text = parameters(root, name) if name in events else OPTIONAL[name]
        print(f'DS_SYSCALL({numbers[name]}, "{name}", {presence(name, numbers[name])}, "{text}")')


if __name__ == "__main__":
    main()
