/* cat() prints a file, whose name may depend on what fired. */
#pragma D option quiet

BEGIN { printf("comm: "); cat("/proc/%d/comm", pid); }
BEGIN { cat("/proc/%s", "sys/kernel/ostype"); exit(0); }
