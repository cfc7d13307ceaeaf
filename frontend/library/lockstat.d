/* Locks: args[1] of the reader/writer lock probes, and what the probes of lockstat remember while a thread waits. */

inline int RW_WRITER = 0;
inline int RW_READER = 1;

/* By thread: the lock that it is about to take. By thread and lock: when the waiting began; LCB_F_ flags of the last phase, and a bit that is always set, so that no
   flags at all are told from none known; the count of a read-write semaphore. */
uint64_t __taking[struct task_struct *];
uint64_t __contended[struct task_struct *, void *];
uint32_t __contention[struct task_struct *, void *];
long __contended_count[struct task_struct *, void *];

/* Without the flag that says spinning. */
inline int __sleeps[uint32_t flags] = (flags & 1) == 0;
