typedef self int x;
BEGIN { }
