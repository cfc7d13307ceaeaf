#pragma D attributes Stable/Stable/Common provider
BEGIN { }
