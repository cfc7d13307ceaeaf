# Functions of variable arguments have no trampolines, but their names.
dscope -qn 'BEGIN { printf("found\n"); exit(0); } fbt::_printk:entry {}'
# Those that the compiler has changed are told of.
dscope -x diagnostics=full -n 'fbt::finish_task_switch:entry {}' 2>&1 | grep -o 'rawfbt::finish_task_switch.isra.0:entry'
