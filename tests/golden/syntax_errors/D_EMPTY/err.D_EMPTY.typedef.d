typedef int foo_t;
