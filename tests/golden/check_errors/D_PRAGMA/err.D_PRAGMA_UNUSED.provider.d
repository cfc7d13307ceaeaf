#pragma D attributes Stable/Stable/Common provider nosuch name
BEGIN { exit(0); }
