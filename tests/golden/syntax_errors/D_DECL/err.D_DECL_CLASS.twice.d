extern extern int x;
BEGIN { }
