/* With frame pointers, the caller is 0 where the register holds data.
 @@command: %T/frames
 @@options: -x ustackunwind=fp */
#pragma D option quiet

syscall::getppid:entry /pid == $target/ { is_called = 1; }
syscall::getppid:entry, syscall::getuid:entry, syscall::geteuid:entry, syscall::getgid:entry
/is_called && pid == $target/
{
	printf("%s %d", probefunc, ucaller != 0);
	ufunc(ucaller);
}
