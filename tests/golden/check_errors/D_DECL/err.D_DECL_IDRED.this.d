this int x;
this char x;
BEGIN { }
