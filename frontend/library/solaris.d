/*
 * Names of the Solaris kernel, for option compat=solaris: `name is __solaris_name if this file defines it, undefined types
 * resolve to __solaris_ types in the same way, and thread members that Linux lacks are members of __solaris_thread. The
 * thread, process, CPU and credential objects of Solaris are all represented by the thread (struct task_struct).
 */

#pragma D depends_on library procfs.d

inline int __solaris_B_FALSE = 0;
inline int __solaris_B_TRUE = 1;

typedef longlong_t __solaris_hrtime_t;
typedef long __solaris_time_t;
typedef long __solaris_clock_t;
struct __solaris_timespec {
	long tv_sec, tv_nsec;
};
typedef struct __solaris_timespec __solaris_timespec_t;
struct __solaris_timeval {
	long tv_sec, tv_usec;
};

typedef id_t __solaris_taskid_t;
typedef id_t __solaris_projid_t;
typedef id_t __solaris_poolid_t;
typedef id_t __solaris_lgrp_id_t;
typedef uint_t __solaris_lwpid_t;
typedef short __solaris_pri_t;
typedef struct task_struct __solaris_kthread_t, __solaris_klwp_t, __solaris_proc_t, __solaris_cpu_t;

typedef uint_t __solaris_major_t;
typedef uint_t __solaris_minor_t;
typedef long __solaris_daddr_t;
typedef longlong_t __solaris_offset_t;
typedef u_longlong_t __solaris_u_offset_t;
typedef long __solaris_off64_t;
typedef ulong_t __solaris_ino64_t;
typedef ulong_t __solaris_pgcnt_t;
typedef long __solaris_spgcnt_t;
typedef ulong_t __solaris_pfn_t;
typedef ulong_t __solaris_rlim_t;
typedef ulong_t __solaris_rlim64_t;

inline int __solaris_ncpus = __machine_cpus;
inline int __solaris_ncpus_online = __machine_cpus;
inline int __solaris_hz = __machine_hertz;
inline uint64_t __solaris__pagesize = __machine_page_size;
inline uint64_t __solaris__pageshift = 12;
inline uint64_t __solaris_physmem = __machine_pages;
inline uint64_t __solaris_physinstalled = __machine_pages;
inline uint64_t __solaris_maxmem = __machine_pages;

/* Swap, in pages. */
struct __solaris_anoninfo {
	uint64_t ani_max, ani_free, ani_phys_resv, ani_mem_resv, ani_locked_swap;
};

/* dscope updates these values every second: the loads of uptime(1) in 65536ths, and values of sysinfo(2). */
struct __machine_now {
	int load[3], coarse_load[3];
	uint64_t free_pages, available_pages, least_free_pages, locked_pages, threads;
	struct __solaris_anoninfo swap;
};
struct __machine_now __machine_now;
inline int *__solaris_hp_avenrun = __machine_now.load;
inline int *__solaris_avenrun = __machine_now.coarse_load;
inline uint64_t __solaris_freemem = __machine_now.free_pages;
inline uint64_t __solaris_availrmem = __machine_now.available_pages;
inline uint64_t __solaris_nproc = __machine_now.threads;
inline uint64_t __solaris_pages_locked = __machine_now.locked_pages;
inline struct __solaris_anoninfo __solaris_k_anoninfo = __machine_now.swap;

/* The watermarks of free memory at which the kernel starts and stops to reclaim memory. */
inline uint64_t __solaris_minfree = __machine_now.least_free_pages;
inline uint64_t __solaris_desfree = __solaris_minfree * 5 / 4;
inline uint64_t __solaris_lotsfree = __solaris_minfree * 3 / 2;
inline uint64_t __solaris_cachefree = __solaris_lotsfree;
inline uint64_t __solaris_throttlefree = __solaris_minfree;
inline uint64_t __solaris_pageout_reserve = __solaris_minfree / 2;
inline uint64_t __solaris_needfree = 0;
inline uint64_t __solaris_deficit = 0;

/* Available memory excludes reserves. Linux does not swap out whole processes. */
inline uint64_t __solaris_swapfs_minfree = 0;
inline uint64_t __solaris_swapfs_reserve = 0;
inline uint64_t __solaris_availrmem_initial = __machine_pages;
inline int __solaris_nswapped = 0;
inline int __solaris_max_ncpus = __machine_cpus;
/* The MB of memory, at most 2048. */
inline int __solaris_maxusers = __machine_pages * __machine_page_size / 1048576 > 2048 ? 2048 :
    __machine_pages * __machine_page_size / 1048576;
inline int __solaris_nsec_per_tick = 1000000000 / __machine_hertz;
inline long __solaris_boot_time = (walltimestamp - timestamp) / 1000000000;

/*
 * arg0 of sdt:::interrupt-start stands for the device and is the handler of the interrupt. The name of the handler serves
 * as the name of the driver, and the number of the interrupt as its instance: `devnamesp[device->devi_major].dn_name,
 * device->devi_instance.
 */
struct __solaris_dev_info {
	uintptr_t handler;
};
struct __solaris_device {
	uintptr_t devi_major;
	int devi_instance;
	string dn_name;
};
translator struct __solaris_device < struct __solaris_dev_info *D > {
	devi_major = (uintptr_t)D;
	devi_instance = ((struct irqaction *)D)->irq;
	dn_name = stringof(((struct irqaction *)D)->name);
};
inline struct __solaris_dev_info *__solaris_devnamesp[uintptr_t driver] = (struct __solaris_dev_info *)driver;

/* The last process id that the kernel assigned. */
inline int __solaris_mpid = (int)curthread->thread_pid->numbers[0].ns->idr.idr_next - 1;

/* D variables that exist only on Solaris. */
inline uint_t __solaris_ipl = 0;

inline uint64_t __solaris_lbolt = timestamp / (1000000000 / __machine_hertz);
inline uint64_t __solaris_lbolt64 = timestamp / (1000000000 / __machine_hertz);
inline uint64_t __solaris_time = walltimestamp / 1000000000;
inline struct new_utsname __solaris_utsname = curthread->nsproxy->uts_ns->name;

struct __solaris_thread {
	struct task_struct *t_procp, *t_lwp, *t_cpu, *t_cred, *t_cpupart, *t_disp_queue;
	id_t t_tid, t_did;
	int t_pri, t_epri, t_cid, t_bind_cpu, t_sysnum;
	uint32_t t_state;
	int64_t t_start, p_mstart;
	struct task_struct *p_pidp, *p_parent, *p_user, *p_cred, *p_sessp, *p_tlist, *p_pgidp, *p_zone;
	pid_t pid_id, p_ppid, s_sid, p_pgrp;
	int p_lwpcnt;
	string u_comm, u_psargs;
	uid_t cr_uid, cr_ruid, cr_suid;
	gid_t cr_gid, cr_rgid, cr_sgid;
	processorid_t cpu_id;
	struct task_struct *cpu_disp, *cpu_dispthread, *cpu_thread, *cpu_idle_thread;
	int disp_nrunnable;
	id_t cp_id;
	string zone_name;
	int zone_id;
};

/* The run queue of the CPU on which a thread runs or last ran. */
inline struct rq *__run_queue[struct task_struct *T] = T->se.cfs_rq->rq;

translator struct __solaris_thread < struct task_struct *T > {
	t_procp = T->group_leader;
	t_lwp = T;
	t_cpu = T;
	t_cred = T;
	t_tid = T->pid;
	t_did = T->pid;
	t_pri = T->prio;
	t_epri = T->prio;
	t_sysnum = xlate <lwpsinfo_t *> (T)->pr_syscall;
	/* The scheduling class of a thread, and its processor set. Linux has a single set. */
	t_cid = T->policy;
	t_cpupart = T;
	cp_id = 0;
	t_disp_queue = T;
	t_bind_cpu = T->nr_cpus_allowed == 1 ? T->thread_info.cpu : -1;
	t_state = T->__state;
	t_start = T->start_time / 1000000000;
	p_mstart = T->start_time;
	p_pidp = T;
	p_parent = T->real_parent->group_leader;
	p_user = T;
	p_cred = T;
	p_sessp = T;
	p_pgidp = T;
	p_tlist = T->group_leader;
	pid_id = T->tgid;
	p_ppid = T->real_parent->tgid;
	p_pgrp = xlate <psinfo_t *> (T)->pr_pgid;
	s_sid = xlate <psinfo_t *> (T)->pr_sid;
	p_lwpcnt = T->signal->nr_threads;
	u_comm = stringof(T->comm);
	u_psargs = xlate <psinfo_t *> (T)->pr_psargs;
	cr_uid = T->cred->euid.val;
	cr_ruid = T->cred->uid.val;
	cr_suid = T->cred->suid.val;
	cr_gid = T->cred->egid.val;
	cr_rgid = T->cred->gid.val;
	cr_sgid = T->cred->sgid.val;
	cpu_id = T->thread_info.cpu;
	cpu_disp = T;
	cpu_dispthread = __run_queue[T]->curr;
	cpu_thread = __run_queue[T]->curr;
	cpu_idle_thread = __run_queue[T]->idle;
	/* On Solaris, the running thread is in no queue. */
	disp_nrunnable = __run_queue[T]->nr_running - (__run_queue[T]->curr != __run_queue[T]->idle);
	p_zone = T;
	zone_name = "global";
	zone_id = 0;
};
