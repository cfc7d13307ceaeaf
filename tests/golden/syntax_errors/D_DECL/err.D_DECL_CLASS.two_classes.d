static extern int x;
BEGIN { }
