inline int f[int x] = x + 1;
BEGIN { trace(f[1, 2]); }
