#pragma D
BEGIN { }
