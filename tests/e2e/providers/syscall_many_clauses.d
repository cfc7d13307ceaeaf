/* Several clauses on the same and on overlapping probes, with this-> between them.
 @@command: %T/calls getppid 5 */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { this->n = 1; }
syscall:::entry /pid == $target && probefunc == "getppid" && this->n == 1/ { this->n = 2; @a = count(); }
syscall::getp*:entry /pid == $target && this->n == 2/ { @b = count(); this->n = 0; }
