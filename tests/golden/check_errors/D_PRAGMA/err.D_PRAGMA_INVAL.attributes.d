int x;
#pragma D attributes Stable/Common/Stable x
BEGIN { exit(0); }
