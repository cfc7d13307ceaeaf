inline x = 3;
BEGIN { }
