int (*x)[int];
BEGIN { }
