int x[int y[int]];
BEGIN { }
