// The scheduler: CPUs, run queues, priorities (providers.md 11).

provider sched {
  probe change-pri(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *, int priority);
  probe dequeue(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *, cpuinfo_t *);
  probe enqueue(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *, cpuinfo_t *, int is_preempted);
  probe off-cpu(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
  probe on-cpu();
  probe preempt();
  probe remain-cpu();
  probe schedctl-yield(int allowed);
  probe sleep();
  probe surrender(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
  probe tick(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
  probe wakeup(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
};

sched:::preempt <- rawtp:::sched_switch [parameters 4..]
/args[1]->pid != 0 && (args[0] || (args[3] == 0 && !__is_yielding))/
{}

sched:::sleep <- rawtp:::sched_switch [parameters 4..]
/!args[0] && args[3] != 0 && (args[3] & 0x80) == 0/
{}

sched:::off-cpu <- rawtp:::sched_switch [parameters 3.., order 3]
{ args[2]; args[2]; }

sched:::on-cpu <- rawtp:::sched_switch [parameters 3.., order 5, subject 2]
{}

// ---- run queues

sched:::dequeue <- rawtp:::sched_switch [parameters 3.., order 4]
/args[2]->pid != 0/
{ args[2]; args[2]; curcpu; }

sched:::enqueue <- rawtp:::sched_switch [parameters 4.., order 2]
/args[1]->pid != 0 && (args[0] || args[3] == 0)/
{ args[1]; args[1]; curcpu; 1; }

// A thread that is woken before it sleeps is running, or was preempted and is in a run queue already.
prepare sched:::enqueue <- rawtp:::sched_waking
/__is_awake_in_queue[args[0]]/
{ __was_queued[args[0]] = 1; }

prepare sched:::enqueue <- rawtp:::sched_wakeup
/__was_queued[args[0]]/
{ __was_queued[args[0]] = 0; }

sched:::enqueue <- rawtp:::sched_wakeup [parameters 1.., order 2]
/!args[0]->on_cpu && !__was_queued[args[0]]/
{ args[0]; args[0]; __cpuinfo(args[0]->thread_info.cpu); 0; }

sched:::enqueue <- rawtp:::sched_wakeup_new [parameters 1.., order 2]
{ args[0]; args[0]; __cpuinfo(args[0]->thread_info.cpu); 0; }

// A waiting thread moves to the run queue of another CPU.
sched:::dequeue <- rawtp:::sched_migrate_task [parameters 2..]
/__is_queued[args[0]]/
{ args[0]; args[0]; __cpuinfo(args[0]->thread_info.cpu); }

sched:::enqueue <- rawtp:::sched_migrate_task [parameters 2.., order 2]
/__is_queued[args[0]]/
{ args[0]; args[0]; __cpuinfo((int)args[1]); 0; }

sched:::remain-cpu <- rawtp:::sched_exit_tp [parameters 1..]
/!args[0]/
{}

sched:::wakeup <- rawtp:::sched_waking [parameters 1..]
{ args[0]; args[0]; }

// ---- priorities

// FIFO and RR threads have priorities of their own.
sched:::change-pri <- fbt::set_user_nice:entry [parameters 2..]
/args[0]->static_prio != 120 + args[1]/
{ args[0]; args[0]; 120 + (int)args[1]; }

// sched_setparam() passes policy -1: the thread keeps its policy.
sched:::change-pri <- fbt::__sched_setscheduler:entry [parameters 2..]
{
  args[0];
  args[0];
  __priority[(int)args[1]->sched_policy < 0 ? (int)args[0]->policy : (int)args[1]->sched_policy,
    (int)args[1]->sched_priority, (int)args[1]->sched_nice];
}

// Without these functions, only the priority that a thread requests for itself is visible. setpriority:
sched:::change-pri <- otherwise rawtp:::sys_enter [parameters 2.., order 101]
/__is_call[args[1], 141] && args[0]->di == 0 && (args[0]->si == 0 || args[0]->si == tid)/
{ curthread; curthread; 120 + __clamped_nice[(int)args[0]->dx]; }

// sched_setscheduler
sched:::change-pri <- otherwise rawtp:::sys_enter [parameters 2.., order 101]
/__is_call[args[1], 144] && (args[0]->di == 0 || args[0]->di == tid)/
{
  curthread;
  curthread;
  __priority[(int)args[0]->si, *(userland int *)args[0]->dx, curthread->static_prio - 120];
}

// sched_setparam
sched:::change-pri <- otherwise rawtp:::sys_enter [parameters 2.., order 101]
/__is_call[args[1], 142] && (args[0]->di == 0 || args[0]->di == tid)/
{
  curthread;
  curthread;
  __priority[curthread->policy, *(userland int *)args[0]->si, curthread->static_prio - 120];
}

// sched_setattr
sched:::change-pri <- otherwise rawtp:::sys_enter [parameters 2.., order 101]
/__is_call[args[1], 314] && (args[0]->di == 0 || args[0]->di == tid)/
{
  curthread;
  curthread;
  __priority[*(userland int *)(args[0]->si + 4), *(userland int *)(args[0]->si + 20),
    *(userland int *)(args[0]->si + 16)];
}

sched:::change-pri <- rawtp:::sched_pi_setprio [parameters 2..]
{
  args[0];
  args[0];
  args[1] != NULL && args[1]->prio < args[0]->normal_prio ? args[1]->prio : args[0]->normal_prio;
}

// ---- other

// The scheduler's tick is the timer with this function.
sched:::tick <- rawtp:::hrtimer_expire_entry [parameters 2..]
/(uintptr_t)args[0]->function == __tick_function && curthread->pid != 0/
{ curthread; curthread; }

sched:::surrender <- rawtp:::reschedule_entry [parameters 1..]
{ curthread; curthread; }

sched:::schedctl-yield <- rawtp:::sys_enter [parameters 2.., order 101]
/args[1] == (__is_32bit ? 158 : 24)/
{ 0; }
