// Nothing at each system call: what the kernel's own clock reads cost when it times a program.
#include "hand.bpf.h"

SEC("raw_tp/sys_enter")
int empty(void* context) { return 0; }
