/* A failed exec, and a successful one.
 @@command: %T/tasks exec /nonexistent/program */
#pragma D option quiet

proc:::exec /pid == $target/ { printf("exec %s by %s, %d\n", args[0], execname, arg0 != 0); }
proc:::exec-failure /pid == $target/ { printf("failure %d\n", args[0]); }
proc:::exec-success /pid == $target/ { printf("success %s\n", execname); }
proc:::exit /pid == $target/ { printf("exit %d, status %d\n", args[0], arg1 >> 8); }
