/* More than sixteen clauses: their common code moves into functions. @@command: %T/calls getppid 5 */
#pragma D option quiet

int total;

syscall::getppid:entry /pid == $target/ { self->first = (arg0 == 7) + (arg0 != 7); self->calls++; }
syscall::getppid:entry /pid == $target/ { @calls[execname, probefunc] = count(); }
syscall::getppid:entry /self->calls > 2/ { @calls[execname, probefunc] = count(); }
syscall::getppid:entry /pid == $target/ { @sum["a"] = sum(self->calls); @plain = count(); }
syscall::getppid:entry /pid == $target/ { @sum["b"] = sum(-self->calls); @plain = count(); }
syscall::getppid:entry /pid == $target/ { @least["a"] = min(self->calls); @most["a"] = max(self->calls); }
syscall::getppid:entry /pid == $target/ { @least["a"] = min(-self->calls); @most["a"] = max(-self->calls); }
syscall::getppid:entry /pid == $target/ { @mean["a"] = avg(self->calls); @spread["a"] = stddev(self->calls); }
syscall::getppid:entry /pid == $target/ { @mean["a"] = avg(10); @spread["a"] = stddev(10); }
syscall::getppid:entry /pid == $target/ { @powers["a"] = quantize(self->calls); }
syscall::getppid:entry /pid == $target/ { @powers["a"] = quantize(self->calls, 2); @powers["b"] = quantize(1); }
syscall::getppid:entry /pid == $target/ { @line["a"] = lquantize(self->calls, 0, 6, 2); }
syscall::getppid:entry /pid == $target/ { @line["a"] = lquantize(self->calls, 0, 6, 2, 3); }
syscall::getppid:entry /pid == $target/ { @steps["a"] = llquantize(self->calls, 10, 0, 1, 10); }
syscall::getppid:entry /pid == $target/ { @steps["a"] = llquantize(self->calls, 10, 0, 1, 10, 4); }
syscall::getppid:entry /pid == $target && curthread != 0/ { self->name = execname; total += strlen(self->name); }
syscall::getppid:return /self->calls == 5 && self->first/ { self->end = execname == self->name; }
syscall::getppid:return /self->end && arg0 == ppid/ { printf("%d calls of %s\n", self->calls, self->name); }
syscall::getppid:return /self->end/ { self->calls = 0; self->name = 0; self->first = 0; self->end = 0; }
syscall::exit_group:entry /pid == $target/ { printf("left with %d, %d characters\n", arg0, total); }

END {
  printa("%s %s %@d\n", @calls);
  printa("%s %@d\n", @sum);
  printa("%@d\n", @plain);
  printa("%s %@d %@d %@d %@d\n", @least, @most, @mean, @spread);
  printa(@powers);
  printa(@line);
  printa(@steps);
  clear(@least);
}
