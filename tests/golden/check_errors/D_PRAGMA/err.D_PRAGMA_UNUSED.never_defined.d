BEGIN { x = 1; }
#pragma D attributes Stable/Stable/Common x
END { x = 2; }
