#!/usr/sbin/dtrace -Cs
/* Macros with and without arguments, conditionals, predefined macros. @@options: -C -D WANTED=3 -DGONE -UGONE -Xs -Xa */
#pragma D option quiet
#define ADD(a, b) ((a) + (b))
#define SHOW(name, value) \
	printf("%s %d\n", name, value)

#if defined(__linux) && defined(__unix) && defined(__SVR4) && defined(__Linux) && defined(__SUNW_D_64)
#define EVERYTHING 1
#endif
#ifdef __GNUC__
#error "D is not GNU C"
#endif
#ifdef GONE
#error "-U comes later"
#endif
#if __STDC_VERSION__ != 199901L
#error "C99 expected"
#endif

BEGIN
/ADD(1, 2) == WANTED/
{
	SHOW("everything", EVERYTHING);
	SHOW("D", __SUNW_D);
	printf("%x\n", __SUNW_D_VERSION);
	SHOW("line", __LINE__);
	exit(0);
}
