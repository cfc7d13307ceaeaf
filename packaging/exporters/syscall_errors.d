#!/usr/bin/env -S dscope -s
/* Exporter: system calls that fail, by program, call and error.
 * Usage: dscope --serve=:9464 -s syscall_errors.d
 */
#pragma D option quiet
#pragma D option metric="@errors name=dscope_syscall_errors keys=program,call,error help=System calls that failed"

syscall:::return
/errno != 0 && errno != EAGAIN && errno != EINTR/
{
  @errors[execname, probefunc, errno] = count();
}
