BEGIN { x = timestamp - start; }
