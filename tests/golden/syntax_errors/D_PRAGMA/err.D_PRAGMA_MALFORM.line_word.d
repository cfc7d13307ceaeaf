#line 3 foo
BEGIN { }
