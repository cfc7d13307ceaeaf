/* probefunc and probename as keys.
 @@command: %T/calls getppid 20 */
#pragma D option quiet

syscall::getppid:entry, syscall::getppid:return /pid == $target/ { @[probeprov, probemod, probefunc, probename] = count(); }
