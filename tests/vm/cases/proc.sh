# A shell and its two children.
dscope -qn 'proc:::create /pid == $target/ { @made = count(); }
  proc:::exit /pid == $target || ppid == $target/ { @gone[execname, args[0]] = count(); }
  END { printa("%@d created\n", @made); printa("%s %d %@d\n", @gone); }' -c 'sh /vm/forks' 2>&1
