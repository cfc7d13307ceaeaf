/* A program that throws, executed by one that does not: of no function of the library that both have the return address
 * is replaced, which an exception would not survive; nor does a function return twice, once by that and once as it is
 * known for the new program.
 @@options: -x follow=exec
 @@command: /usr/bin/env %T/throws */
#pragma D option quiet

pid$target:libc:strchr:return, pid$target:libc:str*cmp:return, pid$target:libc:malloc:return
/arg0 == -1/
{ printf("%s by its return address\n", probefunc); }
