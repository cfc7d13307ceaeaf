/* Default mode: the faulting clause prints no row, an ERROR clause prints one. */
BEGIN { trace(1); trace(*(int *)64); }
ERROR { trace("in error"); }
BEGIN { trace(2); exit(0); }
