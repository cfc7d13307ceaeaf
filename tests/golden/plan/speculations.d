/* golden: nspec=3 */
/* The table of ids. commit() and discard() have their own records, not the clause's. */
BEGIN { self->id = speculation(); }
BEGIN { speculate(self->id); printf("%d", pid); }
BEGIN { speculate(self->id); }
BEGIN { commit(self->id); discard(self->id); }
