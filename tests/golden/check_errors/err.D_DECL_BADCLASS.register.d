register int x;
BEGIN { }
