inline int X = 3;
BEGIN { X = 4; }
