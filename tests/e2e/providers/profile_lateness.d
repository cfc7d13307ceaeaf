/* arg2 of profile-N is its delay, which is not 0 in every firing. Ticks have no arg2.
 @@command: %T/calls spin 200 */
#pragma D option quiet
int early, late, much, of_ticks;

profile-499 { early += arg2 < 0; late += arg2 > 0; much += arg2 > 60000000000; }
tick-10ms { of_ticks += arg2 != 0; }
END { printf("%d %d %d %d\n", early, late > 20, much, of_ticks); }
