BEGIN { print(1); }
