// Probes of provider sdt that only the Solaris kernel has (compat=solaris).

provider sdt {
  probe interrupt-start, interrupt-complete, callout-start, callout-end();
  // Nothing on Linux fires these.
  probe squeue-enter, squeue-proc-start, squeue-proc-end, fsflush-start, fsflush-end();
};

// arg1: number of the interrupt. arg2: its handler.
sdt:::interrupt-start <- rawtp:::irq_handler_entry
{ (uintptr_t)args[1]; args[0]; (uintptr_t)args[1]->handler; }

sdt:::interrupt-complete <- rawtp:::irq_handler_exit
{ (uintptr_t)args[1]; args[0]; (uintptr_t)args[1]->handler; args[2]; }

// arg0: the timer.
sdt:::callout-start <- rawtp:::timer_expire_entry, rawtp:::hrtimer_expire_entry
{ (uintptr_t)args[0]; }

sdt:::callout-end <- rawtp:::timer_expire_exit, rawtp:::hrtimer_expire_exit
{ (uintptr_t)args[0]; }
