/* What is never taken defines nothing. */
inline int OPT = 0;
BEGIN { OPT ? self->x = 1 : 1; }
END /self->x/ { trace(self->x); }
