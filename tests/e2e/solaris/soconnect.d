/* Connections with their ends. Later clauses read the data that the first clause copied in.
 @@options: -x compat=solaris
 @@command: %T/sockets tcp */
#pragma D option quiet

inline int af_inet = 2;

syscall::connect*:entry
/pid == $target/
{
	this->s = (struct sockaddr_in *)copyin(arg1, sizeof (struct sockaddr));
	this->f = this->s->sin_family;
}
syscall::connect*:entry
/pid == $target && this->f == af_inet/
{
	this->own = (char *)copyin(arg1, 2);
	self->port = ntohs(this->s->sin_port);
	self->address = inet_ntop(af_inet, (void *)&this->s->sin_addr);
	self->same = *(uint16_t *)this->own == this->s->sin_family;
}
syscall::connect*:return
/self->address != ""/
{
	printf("%s %d %d\n", self->address, self->port > 0, self->same);
	self->address = 0; self->port = 0; self->same = 0;
}
