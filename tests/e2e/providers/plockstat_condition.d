/* A thread that waits for a condition variable releases its mutex, whether or not the condition is signaled. The
dynamic linker's locks lie at higher addresses.
 @@command: %T/locks condition */
#pragma D option quiet
inline int is_own[uintptr_t lock] = lock < 0x10000000;

plockstat$target:::mutex-* /is_own[arg0]/ { printf("%s %d\n", probename, arg1); }
