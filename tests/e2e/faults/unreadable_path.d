/* d_path() of what is no path: a fault, as in all other subroutines. */
BEGIN { trace(d_path((struct path *)8)); trace("not reached"); }
BEGIN { trace(d_path((struct path *)NULL)); trace("not reached"); }
BEGIN { exit(0); }
