inline int limit;
BEGIN { }
