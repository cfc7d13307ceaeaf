BEGIN { exit(0); }
#pragma D attributes Stable/Stable/Common pid
