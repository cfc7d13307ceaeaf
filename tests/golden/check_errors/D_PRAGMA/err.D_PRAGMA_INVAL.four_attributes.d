#pragma D attributes Stable/Stable/Common/Common x
int x;
