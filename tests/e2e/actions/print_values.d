/* print() of values that are not pointers, of kernel objects, and of unreadable memory. */
#pragma D option printform=classic
struct pair { int a, b; };
struct pair q;
char buffer[8];

BEGIN { i = 7; print(i); print(execname); print(probename); print((char)'c'); }
BEGIN { q.b = 3; print(q); buffer[0] = 'o'; buffer[1] = 'k'; print(buffer); print(curthread->comm); }
BEGIN { print((int8_t)-2); print((uint8_t)254); }
BEGIN { printf("%s ", "before"); print((int)1); printf("after"); }
BEGIN { print((struct pair *)0); trace("not reached"); }
BEGIN { print((struct pair *)64); trace("not reached"); }
BEGIN { exit(0); }
