/* A bufsize too small for one record is rejected. */
#pragma D option quiet
#pragma D option bufsize=16

BEGIN { trace(1); exit(0); }
