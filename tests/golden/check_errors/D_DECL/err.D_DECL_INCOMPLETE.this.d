this struct nosuch x;
BEGIN { }
