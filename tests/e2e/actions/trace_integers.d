/* trace() of every integer type: the width follows the declared type. */

char c; unsigned char uc; short s; unsigned short us; int i; unsigned int ui; long l; unsigned long ul;

BEGIN { trace(c); trace(uc); trace(s); trace(us); trace(i); trace(ui); trace(l); trace(ul); }
BEGIN { trace((char)-17); trace((unsigned char)-17); trace((short)-17); trace((unsigned short)-17); }
BEGIN { trace(-17); trace(17u); trace(-17l); trace(-1ul); trace((void *)64); }
BEGIN { trace('a'); trace(1 == 1); trace(0x80000000); trace(2147483648); exit(0); }
