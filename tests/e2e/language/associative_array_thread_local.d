/* self->a[k] is keyed by thread too. Assigning 0 deletes the element. */
#pragma D option quiet

BEGIN { self->a["k"] = 1; self->b[1, "x"] = "text"; }
BEGIN { printf("%d %s %d\n", self->a["k"], self->b[1, "x"], self->a["no"]); self->a["k"] = 0; }
BEGIN { printf("%d\n", self->a["k"]); exit(0); }
