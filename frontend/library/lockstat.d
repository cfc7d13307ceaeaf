/* Locks: args[1] of the reader/writer lock probes, and the state of the lockstat probes while a thread waits. */

inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* __acquiring: by thread, the lock that it is about to acquire. By thread and lock: __contended, the start of the wait;
   __contention, the LCB_F_ flags of the last phase, plus a bit that is always set, so that zero flags differ from unknown
   flags; __contended_count, the count of a read-write semaphore. */
uint64_t __acquiring[struct task_struct *];
uint64_t __contended[struct task_struct *, void *];
uint32_t __contention[struct task_struct *, void *];
long __contended_count[struct task_struct *, void *];

/* True without the flag for spinning. */
inline int __sleeps[uint32_t flags] = (flags & 1) == 0;
