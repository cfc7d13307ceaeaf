/* %Y and %T of nanoseconds since the epoch, in the time zone of the consumer. */
#pragma D option quiet

BEGIN { printf("%Y|%Y|%T\n", 1062582021000000000, 0l, 1062582021000000000); exit(0); }
