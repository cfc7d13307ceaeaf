int x[int, void];
BEGIN { }
