void int x;
BEGIN { }
