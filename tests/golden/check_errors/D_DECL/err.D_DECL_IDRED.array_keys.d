int a[int];
int a[string];
BEGIN { exit(0); }
