/* caller and stackdepth exclude the frame of the clause's function: with more than 8 clauses, each is one.
 @@command: %T/calls getppid 3 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { @other[0] = count(); }
syscall::getppid:entry /pid == $target/ { @other[1] = count(); }
syscall::getppid:entry /pid == $target/ { @other[2] = count(); }
syscall::getppid:entry /pid == $target/ { @other[3] = count(); }
syscall::getppid:entry /pid == $target/ { @other[4] = count(); }
syscall::getppid:entry /pid == $target/ { @other[5] = count(); }
syscall::getppid:entry /pid == $target/ { @other[6] = count(); }
syscall::getppid:entry /pid == $target/ { @other[7] = count(); }
syscall::getppid:entry /pid == $target/ { @[sym(caller), stackdepth < 6 && stackdepth > 1] = count(); }
END { trunc(@other); }
