/* trace() of arrays and structs dumps their bytes, whatever their size. */
struct one { char c; };
struct eight { int a, b; };
struct one o;
struct eight e;
int numbers[5];

BEGIN { o.c = 'x'; trace(o); }
BEGIN { e.a = 0x41424344; e.b = 1; trace(e); trace(2); }
BEGIN { numbers[4] = -1; trace(numbers); trace(curthread->comm); exit(0); }
