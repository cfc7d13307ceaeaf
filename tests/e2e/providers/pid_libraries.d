/* Every function of the program; those that the start of a program calls are not asked for.
 @@command: %T/functions 2 */
#pragma D option quiet

pid$target:a.out::entry /probefunc[0] != '_' && probefunc != "main"/ { @[probefunc] = count(); }
