/* The run ends with the record that does not fit. END's record always fits. Tests of bufpolicy=switch do not count the bytes per CPU. */
/* @@options: -q -x bufpolicy=fill -x bufsize=200 -x cpu=0 -x droptags */
BEGIN { printf("begin\n"); }
tick-1ms { printf("%d\n", i++); }
END { printf("end %d\n", i); }
