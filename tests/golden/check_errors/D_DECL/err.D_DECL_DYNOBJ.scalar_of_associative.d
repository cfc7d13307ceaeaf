int x[3][int];
BEGIN { }
