/* The start-up code of a program, and parts of functions, have no return address: they have no return
 * probes, and a program that is probed there keeps its arguments.
 @@options: -x evaltime=exec
 @@command: %T/functions 3 */
#pragma D option quiet

pid$target:a.out::return /probefunc == "_start" || probefunc == "hidden"/ { @[probefunc] = count(); }
