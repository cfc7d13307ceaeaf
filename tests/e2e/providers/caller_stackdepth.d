/* caller and stackdepth count from the probe, as stack() does: frames of dscope's own programs are excluded.
 @@command: %T/calls getppid 3 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @[sym(caller), stackdepth < 6 && stackdepth > 1] = count(); }
