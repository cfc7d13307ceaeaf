/* d_path() of an invalid path faults, as all other subroutines do. */
BEGIN { trace(d_path((struct path *)8)); trace("not reached"); }
BEGIN { trace(d_path((struct path *)NULL)); trace("not reached"); }
BEGIN { exit(0); }
