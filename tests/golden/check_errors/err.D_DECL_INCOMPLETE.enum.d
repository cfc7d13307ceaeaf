enum nosuch x;
BEGIN { }
