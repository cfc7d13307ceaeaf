/* Errors by name. A missing string is empty.
 @@options: -x compat=solaris
 @@command: %T/calls open /nonexistent 2 */
#pragma D option quiet

BEGIN { name[ENOENT] = "ENOENT"; empty = ""; }
syscall::open:return
/pid == $target && errno != 0/
{
	this->known = name[errno] != "" ? name[errno] : "?";
	this->other = name[EACCES] == "" ? "?" : name[EACCES];
	printf("%-10s %s %s %d %d\n", probefunc, this->known, this->other, name[EACCES] == empty, name[EACCES] < name[errno]);
}
