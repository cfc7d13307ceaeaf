#pragma D error not today
BEGIN { }
