/* A branch that is never taken defines no variables. */
inline int OPT = 0;
BEGIN { OPT ? self->x = 1 : 1; }
END /self->x/ { trace(self->x); }
