/* A program that throws, executed by one that does not: no return address is replaced in functions of their shared
 * libraries, because an exception would not survive that. No function returns twice, once by the old probes and once by
 * those of the new program.
 @@options: -x follow=exec
 @@command: /usr/bin/env %T/throws */
#pragma D option quiet

pid$target:libc:strchr:return, pid$target:libc:str*cmp:return, pid$target:libc:malloc:return
/arg0 == -1/
{ printf("%s by its return address\n", probefunc); }
