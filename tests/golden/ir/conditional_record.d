/* A byte in the record says whether the action ran. It is cleared first. */
BEGIN { if (pid > 1) trace(1); trace(2); }
/* CHECK: reserved: */
/* CHECK: store i8 0, ptr */
/* CHECK: then: */
/* CHECK: store i8 1, ptr */
