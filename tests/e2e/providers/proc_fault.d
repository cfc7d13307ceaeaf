/* A machine fault that becomes a signal.
 @@command: %T/tasks fault 3 */
#pragma D option quiet

proc:::fault /pid == $target/ { @[args[0] == FLTBOUNDS, siginfo_addr[args[1]], arg0] = count(); }
proc:::signal-handle /pid == $target && args[0] == SIGSEGV/ { @handled = count(); }
