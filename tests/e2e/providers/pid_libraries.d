/* Every function of the program. Functions of the start-up code are excluded.
 @@command: %T/functions 2 */
#pragma D option quiet

pid$target:a.out::entry /probefunc[0] != '_' && probefunc != "main"/ { @[probefunc] = count(); }
