#line twelve
BEGIN { }
