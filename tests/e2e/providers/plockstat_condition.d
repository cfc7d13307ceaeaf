/* A thread that waits for a condition variable gives its mutex back meanwhile, whether the condition comes or not. The
dynamic linker's locks lie higher.
 @@command: %T/locks condition */
#pragma D option quiet
inline int is_own[uintptr_t lock] = lock < 0x10000000;

plockstat$target:::mutex-* /is_own[arg0]/ { printf("%s %d\n", probename, arg1); }
