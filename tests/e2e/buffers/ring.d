/* The newest rows are kept and printed at the end. */
/* @@options: -q -x bufpolicy=ring -x bufsize=200 -x cpu=0 */
BEGIN { printf("begin\n"); }
tick-1ms { printf("%d\n", i++); }
tick-1ms /i > 50/ { exit(7); }
END { printf("end %d\n", i); }
