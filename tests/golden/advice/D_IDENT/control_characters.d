BEGIN { trace("[31mÿ"); trace(nosuch); }
