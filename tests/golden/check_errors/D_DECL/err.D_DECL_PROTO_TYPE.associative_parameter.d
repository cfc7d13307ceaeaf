int f(int y[int]);
BEGIN { }
