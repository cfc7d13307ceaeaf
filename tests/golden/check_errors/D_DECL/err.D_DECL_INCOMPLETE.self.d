self struct nosuch x;
BEGIN { }
