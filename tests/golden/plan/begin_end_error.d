/* The probes that dscope fires itself. Each has its own program. The others call ERROR. */
BEGIN { trace(1); }
END { trace(probename); }
ERROR { trace(arg4); exit(1); }
