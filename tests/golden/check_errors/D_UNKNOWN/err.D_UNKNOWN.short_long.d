short long x;
BEGIN { }
