/* No probe fires before BEGIN has finished, and none but END after exit(). */
#pragma D option quiet

int begun, ended;

tick-1ms /!begun || ended/ { printf("never\n"); }
BEGIN { begun = 1; }
tick-20ms { exit(0); ended = 1; }
END { printf("end\n"); }
