/* Division and remainder by a run-time zero, signed and unsigned, in every width. */
#pragma D option quiet

int zero;

BEGIN { trace(1 / zero); }
BEGIN { trace(1 % zero); }
BEGIN { trace(1l / (long)zero); }
BEGIN { trace(1u / (unsigned int)zero); }
BEGIN { trace((char)1 % (char)zero); }
BEGIN { x = 4; x /= zero; }
BEGIN { x %= zero; }
BEGIN { printf("%d\n", x); exit(0); }
ERROR { printf("%d %d %d %d %d\n", arg0, arg1, arg2, arg4, arg5); }
