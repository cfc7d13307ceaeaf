#!/usr/bin/env -S dscope -s
/* Print processes as they end: how long they ran, and whether they exited, were killed or dumped core.
 * Usage: dscope-exitsnoop
 */
#pragma D option quiet
#pragma D option switchrate=10hz

/* The names of the signals 0 to 15 and 16 to 31, 6 characters each. */
inline string low_signals =
  "0     HUP   INT   QUIT  ILL   TRAP  ABRT  BUS   FPE   KILL  USR1  SEGV  USR2  PIPE  ALRM  TERM";
inline string high_signals =
  "STKFLTCHLD  CONT  STOP  TSTP  TTIN  TTOU  URG   XCPU  XFSZ  VTALRMPROF  WINCH IO    PWR   SYS";
inline string signal_name[int number] =
  strtok(substr(number < 16 ? low_signals : high_signals, number % 16 * 6, 6), " ");

dtrace:::BEGIN
{
  printf("%-20s %6s %6s %-16s %10s %s\n", "TIME", "PPID", "PID", "PROGRAM", "AGE(ms)", "END");
}

proc:::exit
{
  this->age = (timestamp - curthread->group_leader->start_time) / 1000000;
  this->code = curthread->signal->group_exit_code != 0 ? curthread->signal->group_exit_code : curthread->exit_code;
  this->is_normal = args[0] == CLD_EXITED;
  this->number = this->is_normal ? (this->code >> 8) & 0xff : this->code & 0x7f;
  this->end = this->is_normal ? strjoin("status ", lltostr(this->number)) :
    this->number < SIGRTMIN ? strjoin("signal SIG", signal_name[this->number]) :
    strjoin("signal ", lltostr(this->number));
  printf("%-20Y %6d %6d %-16s %10d %s\n", walltimestamp, ppid, pid, execname, this->age,
    args[0] == CLD_DUMPED ? strjoin(this->end, ", core dumped") : this->end);
  @ended[this->is_normal ? "exited" : "killed"] = count();
}

dtrace:::END
{
  printa("%@d %s\n", @ended);
}
