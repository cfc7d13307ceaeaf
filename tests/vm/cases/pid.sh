# Functions of a library: in the command's process, and in all processes.
dscope -qn 'pid$target:libc.so.6:malloc:entry { n++; } pid$target:libc.so.6:malloc:return { m++; }
  END { printf("%d %d\n", n > 0, n == m); }' -c 'dscope -V' 2>&1 | grep -v 'dscope: dscope'
dscope -qn 'uprobe:libc.so.6:malloc:entry /progenyof($target)/ { @[probefunc, arg0 > 0] = min(1); }
  END { printa("%s %d %@d\n", @); }' -c 'dscope -V' 2>&1 | grep -v 'dscope: dscope'
dscope -qn 'pid$target:libc.so.6:malloc:entry { ustack(1); exit(0); }' -c 'dscope -V' 2>&1 | grep -v 'dscope: dscope'
