// System statistics that only the Solaris kernel has. arg0 is the amount by which the statistic grows.

provider sysinfo {
  probe intr, intrthread, cpumigrate(int increment);
  // Nothing on Linux fires these.
  probe bawrite, canch, intrblk, intrunblk, mdmint, outch, procovf, rawch, rcvint, ufsdirblk, ufsiget, ufsinopage,
    ufsipage, xmtint, cpu_ticks_idle, cpu_ticks_kernel, cpu_ticks_user, cpu_ticks_wait, wait_ticks_io, modload,
    modunload(int increment);
};

sysinfo:::intr, sysinfo:::intrthread <- rawtp:::irq_handler_entry
{ 1; }

sysinfo:::cpumigrate <- rawtp:::sched_migrate_task
{ 1; }
