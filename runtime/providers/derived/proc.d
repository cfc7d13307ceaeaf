// Processes and threads: creation, exec, exit, signals (providers.md 10).

provider proc {
  probe create(struct task_struct * : psinfo_t *);
  probe exec(string path);
  probe exec-failure(int error);
  probe exec-success();
  probe exit(int reason);
  probe fault(int fault, siginfo_t *);
  probe lwp-create(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
  probe lwp-exit();
  probe lwp-start();
  probe signal-clear(int signal, siginfo_t *);
  probe signal-discard(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *, int signal);
  probe signal-handle(int signal, siginfo_t *, void (*)(void) handler);
  probe signal-send(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *, int signal);
  probe start();
};

proc:::create <- rawtp:::sched_process_fork [parameters 2..]
/args[1]->pid == args[1]->tgid/
{ args[1]; }

proc:::lwp-create <- rawtp:::sched_process_fork [parameters 2.., order 2]
{ args[1]; args[1]; }

// A new task first leaves the kernel as if its system call returned 0.
proc:::start <- rawtp:::sys_exit [parameters 2.., order 2]
/args[1] == 0 && __makes_task[args[0]->orig_ax] && pid == tid/
{}

proc:::lwp-start <- rawtp:::sys_exit [parameters 2.., order 3]
/args[1] == 0 && __makes_task[args[0]->orig_ax]/
{}

proc:::exec <- rawtp:::sys_enter [parameters 2.., order 101, on exec]
/__executes[args[1]]/
{ __executed[args[0], args[1]], copyinstr(__executed[args[0], args[1]]); }

proc:::exec-failure <- rawtp:::sys_exit [parameters 2.., on exec]
/args[1] < 0 && __executes[args[0]->orig_ax]/
{ (int)-args[1]; }

proc:::exec-success <- rawtp:::sched_process_exec [parameters 3.., on exec]
{}

proc:::lwp-exit <- rawtp:::sched_process_exit [parameters 1..]
{}

proc:::exit <- rawtp:::sched_process_exit [parameters 2.., order 2]
/args[1]/
{ __exit_kind[args[0]]; __wait_status[args[0]]; }

// Two threads that end at the same time may both count no live threads.
proc:::exit <- rawtp:::sched_process_exit [parameters 1, order 2]
/args[0]->signal->live.counter == 0 &&
  __exited[(uintptr_t)args[0]->signal] != args[0]->group_leader->start_time &&
  (args[0]->signal->nr_threads == 1 ||
   (__exited[(uintptr_t)args[0]->signal] = args[0]->group_leader->start_time) != 0)/
{ __exit_kind[args[0]]; __wait_status[args[0]]; }

proc:::signal-send <- rawtp:::signal_generate [parameters 5..]
{ args[2]; args[2]; args[0]; }

// 1 is TRACE_SIGNAL_IGNORED.
proc:::signal-discard <- rawtp:::signal_generate [parameters 5.., order 2]
/args[4] == 1/
{ args[2]; args[2]; args[0]; }

proc:::fault <- rawtp:::signal_generate [parameters 5.., order 3]
/args[2] == curthread && __is_fault[args[0], args[1]]/
{ __fault_code[args[0], args[1]->si_code]; (siginfo_t *)args[1]; }

// The kernel delivers SIGKILL for a signal whose default action kills; the process keeps the number of the real one.
proc:::signal-handle <- rawtp:::signal_deliver [parameters 3..]
{
  args[0] == 9 && (curthread->signal->group_exit_code & 0x7f) != 0 ?
    curthread->signal->group_exit_code & 0x7f : args[0];
  (uintptr_t)args[1] > 1 ? (siginfo_t *)args[1] : NULL;
  (void (*)(void))args[2]->sa.sa_handler;
}

// rt_sigtimedwait
proc:::signal-clear <- rawtp:::sys_exit [parameters 2..]
/args[1] > 0 && __waits_for_signal[args[0]->orig_ax]/
{ (int)args[1]; (siginfo_t *)NULL; }
