long string x;
BEGIN { }
