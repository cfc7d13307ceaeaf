BEGIN { x = ä; }
