short char x;
BEGIN { }
