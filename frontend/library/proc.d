/* Building blocks of the proc and sched probes, and the members of their siginfo_t. */

#pragma D depends_on library signal.d

/* The reason for the end of a process and its wait status, for proc:::exit. */
inline int __wait_status[struct task_struct *T] =
    (T->signal->flags & 4) != 0 ? T->signal->group_exit_code : T->exit_code;
inline int __exit_kind[struct task_struct *T] = (__wait_status[T] & 0x7f) == 0 ? CLD_EXITED :
    (__wait_status[T] & 0x80) != 0 ? CLD_DUMPED : CLD_KILLED;

/* By struct signal_struct: the start time of a process that has ended. */
uint64_t __exited[uintptr_t];

/* True for a signal that a CPU exception raised: si_code is positive, and not SI_KERNEL (0x80). */
inline int __is_fault[int sig, struct kernel_siginfo *I] =
    (sig == SIGSEGV || sig == SIGBUS || sig == SIGILL || sig == SIGFPE || sig == SIGTRAP) &&
    (uintptr_t)I > 1 && I->si_code > 0 && I->si_code != 0x80;
inline int __fault_code[int sig, int code] =
    sig == SIGILL ? (code == 5 ? FLTPRIV : FLTILL) :
    sig == SIGTRAP ? (code == 2 ? FLTTRACE : code == 4 ? FLTWATCH : FLTBPT) :
    sig == SIGBUS ? (code == 1 ? FLTACCESS : FLTBOUNDS) :
    sig == SIGFPE ? (code == 1 ? FLTIZDIV : code == 2 ? FLTIOVF : FLTFPE) : FLTBOUNDS;

/* Members of siginfo_t under the names of C's macros. */
inline pid_t siginfo_pid[siginfo_t *S] = S->_sifields._kill._pid;
inline uid_t siginfo_uid[siginfo_t *S] = S->_sifields._kill._uid;
inline int siginfo_status[siginfo_t *S] = S->_sifields._sigchld._status;
inline uintptr_t siginfo_addr[siginfo_t *S] = (uintptr_t)S->_sifields._sigfault._addr;

/* System calls of x86-64: clone, fork, vfork, clone3; execve and execveat, and the register with their path; sched_yield.
   The calls of 32-bit programs have other numbers. TS_COMPAT marks them. */
inline int __is_32bit = (curthread->thread_info.status & 2) != 0;
/* Whether `number` is the call `wanted` of a 64-bit program. */
inline int __is_call[int64_t number, int64_t wanted] = number == wanted && !__is_32bit;
inline int __makes_task[int64_t number] = number == 435 || (__is_32bit ?
    number == 2 || number == 120 || number == 190 : number == 56 || number == 57 || number == 58);
inline int __executes[int64_t number] =
    __is_32bit ? number == 11 || number == 358 : number == 59 || number == 322;
inline uintptr_t __executed[struct pt_regs *R, int64_t number] = __is_32bit ?
    (number == 11 ? R->bx : R->cx) & 0xffffffff : number == 59 ? R->di : R->si;
inline int __is_yielding = (int64_t)uregs[15] == (__is_32bit ? 158 : 24);
inline int __waits_for_signal[int64_t number] = __is_32bit ? number == 177 || number == 421 : number == 128;

/* Since Linux 6.12, sleeping threads may stay in the run queue for a while. */
inline int __is_awake_in_queue[struct task_struct *T] =
    T->on_rq != 0 && !T->on_cpu && !(T->se.sched_delayed ?? 0);
/* By thread, during its wakeup: whether it was in a run queue before. */
int __was_queued[struct task_struct *];

/* Runnable, and not just being woken. */
inline int __is_queued[struct task_struct *T] = T->on_rq != 0 && T->__state == 0;

inline int __clamped_nice[int nice] = nice < -20 ? -20 : nice > 19 ? 19 : nice;
/* FIFO, RR and DEADLINE have separate priorities. One bit of the policy applies to children (SCHED_RESET_ON_FORK). */
inline int __priority[int policy, int real_time, int nice] =
    (policy & 0xff) == 1 || (policy & 0xff) == 2 ? 99 - real_time :
    (policy & 0xff) == 6 ? -1 : 120 + __clamped_nice[nice];
/* Before Linux 6.5, tick_nohz_handler was a different function. */
inline uintptr_t __tick_function = (uintptr_t)&`tick_sched_timer ?? (uintptr_t)&`tick_nohz_handler;
