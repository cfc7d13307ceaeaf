/* Commands that system() runs in BEGIN are traced. */
#pragma D option quiet
#pragma D option destructive

BEGIN { system("/bin/true"); }
proc:::exec-success /execname == "true" && progenyof($pid)/ { printf("%s\n", execname); exit(0); }
