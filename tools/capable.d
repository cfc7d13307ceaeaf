#!/usr/bin/env -S dscope -s
/* Which privileges do programs use, and which are denied?
 *
 * RESULT is 0, or EPERM if the process lacks the capability. -x shows only denials, which programs often hide.
 * Needs Linux 6.13 or newer.
 */
#pragma D arg -p -c -n -C -K -T -x -d
#pragma D option quiet
#pragma D option switchrate=10hz

inline int is_traced = pid != $pid && ($target == 0 || progenyof($target)) &&
  ($$name == "" || execname == $$name) && ($$container == "" || container == $$container);

/* The capabilities 0 to 20 and 21 to 40, 17 characters each. */
inline string low_names = strjoin(strjoin(
  "CHOWN            DAC_OVERRIDE     DAC_READ_SEARCH  FOWNER           FSETID           KILL             SETGID           ",
  "SETUID           SETPCAP          LINUX_IMMUTABLE  NET_BIND_SERVICE NET_BROADCAST    NET_ADMIN        NET_RAW          "),
  "IPC_LOCK         IPC_OWNER        SYS_MODULE       SYS_RAWIO        SYS_CHROOT       SYS_PTRACE       SYS_PACCT        ");
inline string high_names = strjoin(strjoin(
  "SYS_ADMIN        SYS_BOOT         SYS_NICE         SYS_RESOURCE     SYS_TIME         SYS_TTY_CONFIG   MKNOD            ",
  "LEASE            AUDIT_WRITE      AUDIT_CONTROL    SETFCAP          MAC_OVERRIDE     MAC_ADMIN        SYSLOG           "),
  "WAKE_ALARM       BLOCK_SUSPEND    AUDIT_READ       PERFMON          BPF              CHECKPOINT_RESTORE");
#pragma D option strsize=512
inline string capability_name[int number] =
  strtok(substr(number < 21 ? low_names : high_names, number % 21 * 17, 18), " ");

dtrace:::BEGIN
{
  if ($time) printf("%-20s ", "TIME");
  if ($by_container) printf("%-16s ", "CONTAINER");
  printf("%7s %-16s %6s %-16s %s\n", "PID", "PROGRAM", "UID", "CAPABILITY", "RESULT");
}

sdt:capability::cap_capable
/is_traced && (!$errors || args[4] != 0)/
{
  if ($time) printf("%-20Y ", walltimestamp);
  if ($by_container) printf("%-16s ", container);
  printf("%7d %-16s %6d %-16s %s\n", pid, execname, uid, capability_name[args[3]],
    args[4] == 0 ? "0" : "EPERM");
  @checked = count();
  @denied = sum(args[4] != 0);
}

dtrace:::END
{
  printa("%@d checks, %@d denied\n", @checked, @denied);
}
