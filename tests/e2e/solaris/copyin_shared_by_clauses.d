/* Data that one clause copied in is available to all later clauses, even after a failure in between.
 @@options: -x compat=solaris
 @@command: %T/sockets tcp */
#pragma D option quiet

syscall::connect*:entry
/pid == $target/
{
	this->s = (struct sockaddr_in *)copyin(arg1, sizeof (struct sockaddr));
	this->port = (uint16_t *)copyin(arg1 + 2, 2);
	this->fails = 1;
}
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[0] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[1] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[2] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[3] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[4] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[5] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[6] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->s->sin_family == 2/ { @equal[7] = sum(*(uint16_t *)copyin(arg1 + 2, 2) == *this->port); }
syscall::connect*:entry /this->fails/ { this->wrong = *(char *)copyin(8, 4); }
syscall::connect*:entry
/this->s->sin_family == 2/
{
	printf("%s %d\n", inet_ntop(2, (void *)&this->s->sin_addr), ntohs(*this->port) == ntohs(this->s->sin_port));
}
ERROR { printf("fault\n"); }
END { printa("%d: %@d\n", @equal); }
