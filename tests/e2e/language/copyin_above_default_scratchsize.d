/* Without option scratchsize, copies of constant sizes get the memory that they need, also together.
 @@command: printf %01000d 7 */
#pragma D option quiet

syscall::write:entry
/pid == $target && arg2 == 1000/
{
	this->whole = (char *)copyin(arg1, 1000);
	this->end = (char *)copyin(arg1 + 900, 100);
	printf("\n%c%c %c%c\n", this->whole[0], this->whole[999], this->end[0], this->end[99]);
}
