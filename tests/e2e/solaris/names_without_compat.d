/* Without the option, these names are free for variables.
 @@command: %T/calls getppid 1 */
#pragma D option quiet

BEGIN { time_t = 1; hrtime_t[time_t] = 2; B_TRUE = 3; boolean_t = "x"; }
END { printf("%d %d %d %s\n", time_t, hrtime_t[1], B_TRUE, boolean_t); }
