/* Lock operations of a program's threads: their number, and their arguments after the lock. The dynamic
 linker's locks lie at higher addresses.
 @@command: %T/locks */
#pragma D option quiet
inline int is_own[uintptr_t lock] = lock < 0x10000000;

plockstat$target:::mutex-acquire /is_own[arg0]/ { @[probename, arg1, arg2] = count(); }
plockstat$target:::mutex-release /is_own[arg0]/ { @[probename, arg1, arg2] = count(); }
plockstat$target:::mutex-block /is_own[arg0]/ { @[probename, arg1, arg2] = count(); waits[arg0] = 1; }
plockstat$target:::mutex-blocked /is_own[arg0]/ { @[probename, arg1, arg2] = count(); }
plockstat$target:::mutex-blocked /waits[args[0]]/ { @same = count(); }
plockstat$target:::mutex-error /is_own[arg0]/ { @[probename, arg1, arg2] = count(); }
plockstat$target:::rw-* /is_own[arg0]/ { @[probename, arg1, arg2] = count(); }
plockstat$target:::mutex-sp* { printf("nobody sees where threads spin\n"); }
END { printa("%s %d %d: %@d\n", @); printa("the same mutex: %@d\n", @same); }
