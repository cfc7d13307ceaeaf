// Probes of provider sched that only the Solaris kernel has. Nothing on Linux fires them.

provider sched {
  probe cpucaps-sleep, cpucaps-wakeup(struct task_struct * : lwpsinfo_t *, struct task_struct * : psinfo_t *);
  probe schedctl-preempt, schedctl-nopreempt();
};
