/* A committed speculation is busy until the consumer has printed it.
 @@options: -x droptags */
#pragma D option quiet

BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); printf("committed "); }
BEGIN { commit(self->id); }
BEGIN { printf("%d\n", speculation()); exit(0); }
