int x;
int x[int];
BEGIN { }
