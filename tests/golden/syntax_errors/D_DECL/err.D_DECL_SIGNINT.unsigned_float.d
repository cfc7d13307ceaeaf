unsigned float x;
BEGIN { }
