/* Signals taken by sigwaitinfo().
 @@command: %T/tasks wait 3 */
#pragma D option quiet

proc:::signal-clear /pid == $target/ { @[args[0] == SIGUSR1, args[1] == NULL] = count(); }
