/* caller and stackdepth count from the probe, as stack() does: dscope's own way to the program is no part of them.
 @@command: %T/calls getppid 3 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @[sym(caller), stackdepth < 6 && stackdepth > 1] = count(); }
