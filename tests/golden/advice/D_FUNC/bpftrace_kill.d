BEGIN { kill(9); }
