inline int a`b = 1;
BEGIN { }
