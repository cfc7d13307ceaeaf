#pragma D depends_on library foo.d
BEGIN { exit(0); }
