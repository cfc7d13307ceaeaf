# Functions with variable arguments have no trampolines, but can be traced by name.
dscope -qn 'BEGIN { printf("found\n"); exit(0); } fbt::_printk:entry {}'
# The hint names functions that the compiler has renamed.
dscope -x diagnostics=full -n 'fbt::finish_task_switch:entry {}' 2>&1 | grep -o 'rawfbt::finish_task_switch.isra.0:entry'
