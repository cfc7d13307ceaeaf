/* Speculative rows appear where they are committed, in the order of recording. A clause that records nothing gives an
   empty row. */
/* @@normal */
BEGIN { self->id = speculation(); printf("id %d", self->id); }
BEGIN { speculate(self->id); trace(1); printf("%s", probename); }
BEGIN { speculate(self->id); x++; }
BEGIN { printf("x %d", x); }
BEGIN { commit(self->id); }
BEGIN { printf("after"); exit(0); }
