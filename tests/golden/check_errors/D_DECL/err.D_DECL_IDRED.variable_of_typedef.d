typedef int x;
int x;
BEGIN { }
