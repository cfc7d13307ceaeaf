BEGIN { x := 3; }
