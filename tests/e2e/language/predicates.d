/* A clause runs only when its predicate is not zero. Side effects of predicates persist. */
#pragma D option quiet

int m;

BEGIN /0/ { printf("never\n"); }
BEGIN /1/ { printf("one\n"); }
BEGIN /pid == $pid/ { printf("self\n"); }
BEGIN /execname == "dscope"/ { printf("name\n"); }
BEGIN /n++ == 0/ { printf("first %d\n", n); }
BEGIN /n++ == 0/ { printf("second\n"); }
BEGIN /n == 2 && (m = 5)/ { printf("%d\n", m); }
BEGIN /curthread/ { printf("pointer\n"); }
BEGIN /0x100000000/ { printf("wide\n"); }
BEGIN /n / 2/ { printf("divided\n"); }
BEGIN { exit(0); }
