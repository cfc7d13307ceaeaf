/* tracemem(): a dump of bytes. A third argument limits their number. Unreadable bytes are zero. */
char buffer[40];
int8_t less;

BEGIN
{
	buffer[0] = 'a';
	buffer[15] = 'z';
	buffer[16] = 127;
	buffer[17] = ' ';
	buffer[39] = '~';
	tracemem(buffer, 40);
}
BEGIN { tracemem(buffer, 1); }
BEGIN { tracemem(buffer, 16, 3); tracemem(buffer, 16, 0); tracemem(buffer, 16, 16); tracemem(buffer, 16, 99); }
BEGIN { less = -1; tracemem(buffer, 2, less); tracemem(buffer, 2, (uint8_t)less); tracemem(buffer, 2, -1LL); }
BEGIN { tracemem(64, 4); tracemem((void *)0, 4); }
BEGIN
{
	this->p = (long *)alloca(8);
	*this->p = 0x4241;
	tracemem(this->p, 8);
	tracemem(curthread->comm, sizeof (curthread->comm));
}
BEGIN { exit(0); }
