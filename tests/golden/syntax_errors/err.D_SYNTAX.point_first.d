BEGIN { trace(.5); }
