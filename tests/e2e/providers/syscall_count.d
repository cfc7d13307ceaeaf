/* Every call fires, at entry and at return.
 @@command: %T/calls getppid 1234 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @e = count(); }
syscall::getppid:return /pid == $target/ { @r = count(); }
