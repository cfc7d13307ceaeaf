inline self int x = 1;
BEGIN { }
