/* Copied-in data is a string: no bytes are the empty string, and scripts terminate it themselves.
 @@options: -x compat=solaris
 @@command: printf abcdefgh */
#pragma D option quiet

syscall::write:entry
/pid == $target/
{
	this->text = (char *)copyin(arg1, arg2);
	this->text[arg2] = '\0';
	printf("[%s] %d [%s] %d\n", stringof(this->text), arg2, stringof(copyin(arg1, 0)), strlen(stringof(copyin(arg1, 0))));
}
