inline int = 3;
BEGIN { }
