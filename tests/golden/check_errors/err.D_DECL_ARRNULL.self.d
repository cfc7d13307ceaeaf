self int x[];
BEGIN { }
