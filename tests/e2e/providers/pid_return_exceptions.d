/* Return probes of functions through which exceptions are thrown, and of all functions of a program: its behavior does
 * not change. An exception that passes through a function is not a return.
 @@command: %T/throws */
#pragma D option quiet
#pragma D option switchrate=60s

pid$target:a.out::return /probefunc == "choose" || probefunc == "leave" || probefunc == "throw_if"/ {
  @[probefunc, arg0 >= 0] = count();
}
pid$target:a.out:pa*:return { printf("%s returns %d from %x\n", probefunc, (int)arg1, (int)arg0); }
