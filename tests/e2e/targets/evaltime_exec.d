/* With this evaltime, which of the program's constructor and main() run after tracing starts.
 @@options: -x evaltime=exec
 @@command: %T/starts */
#pragma D option quiet

pid$target:a.out:constructed:entry, pid$target:a.out:worked:entry { printf("%s(%d)\n", probefunc, arg0); }
proc:::exit /pid == $target || ppid == $target/ { @[args[0] == CLD_EXITED ? "exited" : "killed"] = count(); }
