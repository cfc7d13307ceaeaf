/* Thread-local variables from entry to return, through recursion.
 @@command: %T/functions 1 */
#pragma D option quiet

pid$target:a.out:factorial:entry { self->depth++; self->n[self->depth] = arg0; printf("%*s> %d\n", self->depth * 2, "", arg0); }
pid$target:a.out:factorial:return { printf("%*s< %d = %d\n", self->depth * 2, "", self->n[self->depth], arg1); self->n[self->depth] = 0; self->depth--; }
