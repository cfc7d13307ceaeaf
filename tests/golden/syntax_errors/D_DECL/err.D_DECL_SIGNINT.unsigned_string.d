unsigned string x;
BEGIN { }
