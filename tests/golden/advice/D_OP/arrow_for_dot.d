struct s {
	int x;
} s;
BEGIN { trace(s->x); }
