BEGIN { let x = 1; }
