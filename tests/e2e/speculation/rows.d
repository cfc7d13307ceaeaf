/* Speculative rows appear at their commit, in the order of recording. A clause that records nothing prints an
   empty row. */
/* @@normal */
BEGIN { self->id = speculation(); printf("id %d", self->id); }
BEGIN { speculate(self->id); trace(1); printf("%s", probename); }
BEGIN { speculate(self->id); x++; }
BEGIN { printf("x %d", x); }
BEGIN { commit(self->id); }
BEGIN { printf("after"); exit(0); }
