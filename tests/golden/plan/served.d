// Programs of a service: maps for updates without room, and for the run that takes over.
#pragma D option served
syscall::read:entry { @[execname] = count(); @times[pid] = quantize(arg2); @all = count(); @printed[pid] = count(); }
tick-1s { printa(@printed); }
