#if 0
BEGIN { }
