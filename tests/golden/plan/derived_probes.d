/* One program per site that a probe is derived from, attached in the order of the derivations on one tracepoint. */
sched:::on-cpu { self->on = timestamp; }
sched:::off-cpu /self->on/ { @[execname] = sum(timestamp - self->on); self->on = 0; }
sched:::enqueue { trace(args[1]); }
rawtp:::sched_switch { @switches = count(); }
