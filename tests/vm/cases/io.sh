# A machine without disks: that the probes are there and compile.
dscope -ln 'io:::start' | tail -n 1 | awk '{ print $2, $3, $4 }'
dscope -qn 'io:::start { trace(args[0]->b_bcount); trace(args[2]->fi_name); } BEGIN { exit(0); }'
