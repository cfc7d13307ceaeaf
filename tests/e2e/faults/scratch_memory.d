/* Scratch memory: access outside, across the end, and to another clause's block; allocation of too much. */
#pragma D option quiet

BEGIN { p = (char *)alloca(8); p[8] = 1; }
BEGIN { p = (char *)alloca(8); p[-1] = 1; }
BEGIN { p = (char *)alloca(8); trace(p[9]); }
BEGIN { p = (char *)alloca(8); this->q = (long *)(p + 4); *this->q = 1; }
BEGIN { p = (char *)alloca(8); this->q = (long *)(p + 4); trace(*this->q); }
BEGIN { p = (char *)alloca(8); *p = 1; }
BEGIN { *p = 2; }
BEGIN { q = alloca(8); trace(*p); }
BEGIN { p = NULL; *p = 2; }
BEGIN { p = (char *)alloca(200); p = (char *)alloca(100); }
BEGIN { n = 300; p = (char *)alloca(n); }
BEGIN { n = -1; p = (char *)alloca(n); }
BEGIN { p = (char *)alloca(0); *p = 1; }
BEGIN { p = (char *)alloca(16); n = -1; bcopy("text", p, n); }
BEGIN { p = (char *)alloca(16); n = 300; bcopy("text", p, n); }
BEGIN { p = (char *)alloca(16); bcopy("text", p, 17); }
BEGIN { p = (char *)alloca(16); bcopy("text", p + 16, 1); }
BEGIN { p = (char *)alloca(16); bcopy((void *)NULL, p, 1); }
BEGIN { p = (char *)alloca(16); bcopy((void *)64, p, 1); }
BEGIN { p = NULL; bcopy("text", p, 1); }
BEGIN { p = (char *)alloca(16); copyinto(8, 8, p); }
BEGIN { p = (char *)alloca(16); n = -1; copyinto(8, n, p); }
BEGIN { exit(0); }
ERROR { printf("%d %d %x\n", arg2, arg4, arg4 == 1 ? (arg5 & (uint32_t)~0xffff0000) : arg5); }
