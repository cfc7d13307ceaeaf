int n;
int a[n];
BEGIN { exit(0); }
