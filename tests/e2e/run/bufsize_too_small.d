/* A bufsize smaller than one element is refused. */
#pragma D option quiet
#pragma D option bufsize=16

BEGIN { trace(1); exit(0); }
