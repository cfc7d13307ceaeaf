# 1 "<built-in>"
# 1 "/usr/include/thing.h" 1 3
typedef int thing_t;
# 2 "/dev/stdin" 2
#line 30
#ident "x"
#pragma once
thing_t t;
BEGIN
{
#pragma D option switchrate=1s
	trace((thing_t)1);
}
