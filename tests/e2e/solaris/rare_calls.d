/* Solaris calls that few programs make, and calls that Linux does not have. */
#pragma D option quiet
#pragma D option compat=solaris

syscall::seteuid:entry, syscall::setegid:entry, syscall::nice:entry, syscall::adjtime:entry, syscall::ntp_adjtime:entry,
syscall::ntp_gettime:entry, syscall::hrtsys:entry, syscall::getsetcontext:entry, syscall::context:entry,
syscall::utimesys:entry, syscall::setpgrp:entry, syscall::plock:entry, syscall::xmknod:entry, syscall::signal:entry,
syscall::lwp_private:entry, syscall::lwp_alarm:entry, syscall::fchroot:entry, syscall::sharefs:entry,
syscall::autofssys:entry, syscall::sidsys:entry, syscall::ucredsys:entry, syscall::acctctl:entry,
syscall::install_utrap:entry, syscall::inst_sync:entry, syscall::evsys:entry, syscall::evtrapret:entry
/0/
{
	trace(probefunc);
}
BEGIN { trace("there"); exit(0); }
