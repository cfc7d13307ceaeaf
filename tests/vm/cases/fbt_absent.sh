dscope -n 'fbt::no_such_function:entry'
dscope -n 'fbt::bpf_get_stack:entry'
dscope -Zqn 'fbt::no_such_function:entry, BEGIN { exit(3); }'
