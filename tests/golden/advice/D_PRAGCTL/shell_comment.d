# a comment
BEGIN { trace(1); }
