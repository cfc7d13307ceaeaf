/* Rows with CPU and ID columns. A row ends in a newline even after a newline of printf.
 @@normal */

BEGIN { printf("a\n"); }
BEGIN { trace("b"); printf("%d", 3); trace(4); }
END { printf("end"); }
BEGIN { exit(0); }
