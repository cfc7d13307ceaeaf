/*
 * Processes and threads: psinfo_t and lwpsinfo_t, their translators from the kernel's tasks, the values of their members,
 * and the variables that use them.
 */

/* pr_dmodel */
inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

/* pr_flag */
inline int PR_STOPPED = 0x1;
inline int PR_ISTOP = 0x2;
inline int PR_DSTOP = 0x4;
inline int PR_STEP = 0x8;
inline int PR_ASLEEP = 0x10;
inline int PR_PCINVAL = 0x20;
inline int PR_ASLWP = 0x40;
inline int PR_AGENT = 0x80;
inline int PR_DETACH = 0x100;
inline int PR_DAEMON = 0x200;
inline int PR_IDLE = 0x10000000;

/* pr_flag of processes */
inline int PR_ISSYS = 0x1000;
inline int PR_VFORKP = 0x2000;
inline int PR_ORPHAN = 0x4000;
inline int PR_NOSIGCHLD = 0x8000;
inline int PR_WAITPID = 0x10000;
inline int PR_FORK = 0x100000;
inline int PR_RLC = 0x200000;
inline int PR_KLC = 0x400000;
inline int PR_ASYNC = 0x800000;
inline int PR_MSACCT = 0x1000000;
inline int PR_BPTADJ = 0x2000000;
inline int PR_PTRACE = 0x4000000;
inline int PR_MSFORK = 0x8000000;

/* pr_state */
inline int SSLEEP = 1;
inline int SRUN = 2;
inline int SZOMB = 3;
inline int SSTOP = 4;
inline int SIDL = 5;
inline int SONPROC = 6;
inline int SWAIT = 7;

/* pr_stype */
inline int SOBJ_NONE = 0;
inline int SOBJ_MUTEX = 1;
inline int SOBJ_RWLOCK = 2;
inline int SOBJ_CV = 3;
inline int SOBJ_SEMA = 4;
inline int SOBJ_USER = 5;
inline int SOBJ_USER_PI = 6;
inline int SOBJ_SHUTTLE = 7;

/* Indices of the kernel's pid arrays */
inline int PIDTYPE_PID = 0;
inline int PIDTYPE_TGID = 1;
inline int PIDTYPE_PGID = 2;
inline int PIDTYPE_SID = 3;

typedef struct timestruc timestruc_t;
struct timestruc {
	long tv_sec;
	long tv_nsec;
};

translator timestruc_t < uint64_t ns > {
	tv_sec = ns / 1000000000;
	tv_nsec = ns % 1000000000;
};

typedef int dprojid_t;
typedef uint32_t zoneid_t;
typedef int psetid_t;

typedef struct lwpsinfo lwpsinfo_t;
struct lwpsinfo {
	int pr_flag;
	id_t pr_lwpid;
	uintptr_t pr_addr;
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	timestruc_t pr_start;
	timestruc_t pr_time;
	char pr_clname[8];
	char pr_name[16];
	processorid_t pr_onpro;
	processorid_t pr_bindpro;
	psetid_t pr_bindpset;
	int pr_lgrp;
};

typedef struct psinfo psinfo_t;
struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;
	size_t pr_rssize;
	dev_t pr_ttydev;
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;
	char pr_fname[16];
	char pr_psargs[80];
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	lwpsinfo_t pr_lwp;
	id_t pr_taskid;
	dprojid_t pr_projid;
	int pr_nzomb;
	id_t pr_poolid;
	zoneid_t pr_zoneid;
	id_t pr_contract;
};

/* Whether the CPU of a thread is running it. During a thread switch, that is already the next thread. */
inline int __is_running[struct task_struct *T] =
    (T->se.cfs_rq->rq->curr == T) ?? T->on_cpu;

/* Bits of the kernel's task_struct.__state and exit_state; the first match counts. */
inline int __pr_state[struct task_struct *T] =
    (T->exit_state & 0x30) || (T->__state & 0x80) ? SZOMB :
    T->__state & 0xc ? SSTOP :
    T->__state & 0x800 ? SIDL :
    T->__state & 0x1043 ? SSLEEP :
    T->__state & 0x300 ? SWAIT :
    __is_running[T] ? SONPROC : SRUN;

/* The lock that a thread waits for, if the kernel records it. */
inline uintptr_t __mutex_waited_for[struct task_struct *T] = (uintptr_t)T->blocked_on ?? (uintptr_t)0;
inline int __is_blocked[struct task_struct *T] = T->pi_blocked_on != NULL || __mutex_waited_for[T] != 0;

/* Threads save their registers at the same offset of their stacks; a thread that has ended has no stack. Interrupts of
   user programs have negative call numbers. The idle threads of all CPUs but the first have no saved registers. While one
   of these runs, the offset is that of stacks of 16 KiB. */
inline uint64_t __registers_in_stack = (uint64_t)__registers() - (uint64_t)curthread->stack;
inline struct pt_regs *__registers_of[struct task_struct *T] = (struct pt_regs *)((uint64_t)T->stack +
    (__registers_in_stack < 0x10000 ? __registers_in_stack : 0x4000 - sizeof (struct pt_regs)));
inline int64_t __call_of[struct task_struct *T] = T == curthread ? (int64_t)uregs[15] :
    T->stack == NULL || (T->flags & 0x200000) != 0 ? 0 : (int64_t)__registers_of[T]->orig_ax;	/* PF_KTHREAD */

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = (T->__state & 0xc ? PR_STOPPED : 0) | (T->pid == 0 ? PR_IDLE : 0);
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = __mutex_waited_for[T] != 0 ? __mutex_waited_for[T] :
	    T->pi_blocked_on != NULL ? (uintptr_t)T->pi_blocked_on->lock : 0;
	/* Other sleeping threads wait in a queue for a condition; 202 is futex(2). */
	pr_stype = __is_blocked[T] ? SOBJ_MUTEX : __pr_state[T] != SSLEEP ? SOBJ_NONE :
	    __call_of[T] == 202 ? SOBJ_USER : SOBJ_CV;
	pr_state = __pr_state[T];
	pr_sname = "?SRZTIOW"[__pr_state[T]];
	pr_nice = T->static_prio - 120;
	pr_syscall = __call_of[T] > 0 ? (short)__call_of[T] : 0;
	pr_oldpri = 0;
	pr_cpu = 0;
	pr_pri = T->prio;
	pr_pctcpu = 0;
	pr_start = xlate <timestruc_t> ((uint64_t)(T->start_time + walltimestamp - timestamp));
	pr_time = xlate <timestruc_t> ((uint64_t)(T->utime + T->stime));
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FF" : T->policy == 2 ? "RR" : T->policy == 3 ? "B" :
	    T->policy == 5 ? "IDL" : T->policy == 6 ? "DLN" : T->policy == 7 ? "SCX" : "";
	pr_name = T->comm;
	pr_onpro = T->thread_info.cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? T->thread_info.cpu : -1;
	pr_bindpset = -1;
	/* From the cpuinfo_t of the thread's CPU. This word makes dscope read sched.d, too. */
	pr_lgrp = __cpuinfo(T->thread_info.cpu)->cpu_lgrp;
};

/* The size of memory pages in KB. */
inline uint64_t __kilobytes[uint64_t pages] = pages * 4;
/* Resident pages: of files (0), anonymous (1), shared (3). */
inline uint64_t __resident[struct mm_struct *M, int kind] = M->rss_stat[kind].count ?? M->rss_stat.count[kind].counter;

/* A probe can read only the user memory of the current process, if it has any. A forked process that has not executed a
   program yet has the same arguments as its parent. During execve(2), the new memory exists before its arguments. */
inline int __has_same_arguments[struct mm_struct *M, struct mm_struct *N] = M->arg_start == N->arg_start &&
    M->arg_end == N->arg_end && M->exe_file == N->exe_file;
inline int __is_readable[struct task_struct *T] = __has_user_memory() && T->mm != NULL && T->mm->start_stack != 0 &&
    (T->mm == curthread->mm || (curthread->mm != NULL && __has_same_arguments[T->mm, curthread->mm]));

inline int __is_ilp32[struct task_struct *T] = T->mm != NULL && T->mm->task_size <= 0x100000000;
inline uint64_t __word[struct task_struct *T] = __is_ilp32[T] ? 4 : 8;
inline int __argc[struct task_struct *T] = __is_readable[T] ? *(userland int *)T->mm->start_stack :
    __is_current(T) ? 0 : T->mm != NULL ? (int)__user_word_of((uintptr_t)T->mm, T->mm->start_stack) : 0;
/* 0 in the initial pid namespace. */
inline zoneid_t __zone[struct pid *P] = P == NULL || P->level == 0 ? 0 : P->numbers[P->level].ns->ns.inum;

translator psinfo_t < struct task_struct *T > {
	pr_flag = (T->flags & 0x200000) != 0 ? PR_ISSYS : 0;	/* PF_KTHREAD */
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[PIDTYPE_PGID]->numbers[0].nr;
	pr_sid = T->signal->pids[PIDTYPE_SID]->numbers[0].nr;
	pr_uid = T->real_cred->uid.val;
	pr_euid = T->real_cred->euid.val;
	pr_gid = T->real_cred->gid.val;
	pr_egid = T->real_cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_size = T->mm != NULL ? __kilobytes[T->mm->total_vm] : 0;
	pr_rssize = T->mm != NULL ? __kilobytes[__resident[T->mm, 0] + __resident[T->mm, 1] + __resident[T->mm, 3]] : 0;
	pr_ttydev = T->signal->tty != NULL ? (dev_t)(T->signal->tty->driver->major << 20 |
	    T->signal->tty->driver->minor_start + T->signal->tty->index) : (dev_t)-1;
	pr_pctcpu = 0;
	pr_pctmem = 0;
	pr_start = xlate <timestruc_t> ((uint64_t)(T->group_leader->start_time + walltimestamp - timestamp));
	pr_time = xlate <timestruc_t>
	    ((uint64_t)(T->signal->utime + T->signal->stime + T->utime + T->stime));
	pr_ctime = xlate <timestruc_t> ((uint64_t)(T->signal->cutime + T->signal->cstime));
	pr_fname = T->group_leader->comm;
	/* For a process that does not run, the text that its page tables map. */
	pr_psargs = __is_readable[T] ? __psargs(T->mm->arg_start, T->mm->arg_end) :
	    __is_current(T) ? stringof(T->group_leader->comm) : T->mm != NULL ?
	    __psargs_of((uintptr_t)T->mm, T->mm->arg_start, T->mm->arg_end, stringof(T->group_leader->comm)) :
	    stringof(T->group_leader->comm);
	pr_wstat = T->flags & 0x4 ? T->exit_code : 0;	/* PF_EXITING */
	pr_argc = __argc[T];
	pr_argv = T->mm != NULL ? T->mm->start_stack + __word[T] : 0;
	pr_envp = T->mm != NULL && __argc[T] > 0 ? T->mm->start_stack + __word[T] * (__argc[T] + 2) : 0;
	pr_dmodel = __is_ilp32[T] ? PR_MODEL_ILP32 : PR_MODEL_LP64;
	pr_lwp = xlate <lwpsinfo_t> (T->group_leader);
	pr_taskid = 0;
	pr_projid = (dprojid_t)T->cgroups->dfl_cgrp->kn->id;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = __zone[T->thread_pid];
	pr_contract = 0;
};

inline string cwd = d_path(&curthread->fs->pwd);
inline string root = d_path(&curthread->fs->root);
