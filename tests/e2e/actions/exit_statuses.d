/* The last consumed exit() sets the status, modulo 256. The rest of its clause still runs. */
#pragma D option quiet

BEGIN { exit(3); printf("still here\n"); }
BEGIN { printf("never\n"); }
END { printf("end\n"); exit(260); }
END { printf("end too\n"); }
