inline int f[int x] = x + 1;
BEGIN { trace(f["a"]); }
