/* With defaultargs a missing argument is 0 or "". */
#pragma D option quiet
#pragma D option defaultargs

BEGIN { printf("%d [%s]\n", $1, $$2); exit(0); }
