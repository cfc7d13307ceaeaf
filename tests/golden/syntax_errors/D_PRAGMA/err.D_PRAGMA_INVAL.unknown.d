#pragma D nosuch thing
BEGIN { }
