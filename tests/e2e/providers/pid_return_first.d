/* The first instructions of a program, and what is only a part of a function, have no return address: nothing returns
 * from there, and a program that is probed there has its arguments as they are.
 @@options: -x evaltime=exec
 @@command: %T/functions 3 */
#pragma D option quiet

pid$target:a.out::return /probefunc == "_start" || probefunc == "hidden"/ { @[probefunc] = count(); }
