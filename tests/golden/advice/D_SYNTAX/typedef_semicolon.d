typedef int foo_t
BEGIN { }
