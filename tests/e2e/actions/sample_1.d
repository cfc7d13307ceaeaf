/* The first worked sample: header, CPU and ID columns, exit status.
 @@normal */

BEGIN { trace(1); trace("ab"); exit(3); }
