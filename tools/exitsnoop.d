#!/usr/bin/env -S dscope -s
/* Which processes end, after how long, and how?
 *
 * END is the exit status or the signal. -x shows only processes with a status other than 0 or a signal.
 */
#pragma D arg -p -c -n -C -K -T -d
#pragma D arg -x "only a status other than 0, or a signal"
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

/* The names of the signals 0 to 15 and 16 to 31, 6 characters each. */
inline string low_signals =
  "0     HUP   INT   QUIT  ILL   TRAP  ABRT  BUS   FPE   KILL  USR1  SEGV  USR2  PIPE  ALRM  TERM";
inline string high_signals =
  "STKFLTCHLD  CONT  STOP  TSTP  TTIN  TTOU  URG   XCPU  XFSZ  VTALRMPROF  WINCH IO    PWR   SYS";
inline string signal_name[int number] =
  strtok(substr(number < 16 ? low_signals : high_signals, number % 16 * 6, 6), " ");

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %7s %-16s %10s %s\n", "PPID", "PID", "PROGRAM", "AGE(ms)", "END");
}

proc:::exit
/is_traced/
{
  this->age = (timestamp - curthread->group_leader->start_time) / 1000000;
  this->code = curthread->signal->group_exit_code != 0 ? curthread->signal->group_exit_code : curthread->exit_code;
  this->is_normal = args[0] == CLD_EXITED;
  this->number = this->is_normal ? (this->code >> 8) & 0xff : this->code & 0x7f;
  this->is_shown = !$errors || this->number != 0;
  this->end = this->is_normal ? strjoin("status ", lltostr(this->number)) :
    this->number < SIGRTMIN ? strjoin("signal SIG", signal_name[this->number]) :
    strjoin("signal ", lltostr(this->number));
}

proc:::exit
/is_traced && this->is_shown/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %7d %-16s %10d %s\n", ppid, pid, execname, this->age,
    args[0] == CLD_DUMPED ? strjoin(this->end, ", core dumped") : this->end);
  @ended[this->is_normal ? "exited" : "killed"] = count();
}

dtrace:::END
{
  printa("%@d %s\n", @ended);
}
