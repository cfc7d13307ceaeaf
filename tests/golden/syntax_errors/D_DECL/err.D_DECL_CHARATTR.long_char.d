long char x;
BEGIN { }
