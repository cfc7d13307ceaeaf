inline static int x = 1;
BEGIN { }
