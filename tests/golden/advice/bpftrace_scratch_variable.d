BEGIN { $x = 1; }
