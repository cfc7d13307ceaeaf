/* golden: nspec=3 */
/* The table of ids; commit and discard have records of their own, not one of the clause. */
BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); printf("%d", pid); }
BEGIN { speculate(self->id); }
BEGIN { commit(self->id); discard(self->id); }
