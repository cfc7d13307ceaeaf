typedef int;
BEGIN { }
