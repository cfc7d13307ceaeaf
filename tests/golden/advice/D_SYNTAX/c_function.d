int twice(int x) { return 2 * x; }
BEGIN { trace(twice(2)); }
