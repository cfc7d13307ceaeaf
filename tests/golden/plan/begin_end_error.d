/* The probes that dscope fires itself, each a program of its own; ERROR is called by the others. */
BEGIN { trace(1); }
END { trace(probename); }
ERROR { trace(arg4); exit(1); }
