void x[3];
BEGIN { exit(0); }
