/* Rows in default mode: the faulting clause has none, an ERROR clause has one. */
BEGIN { trace(1); trace(*(int *)64); }
ERROR { trace("in error"); }
BEGIN { trace(2); exit(0); }
