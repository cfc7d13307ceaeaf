/* The key of an element that is read and written is one of two structures, which is chosen once. */
#pragma D option quiet

struct pair { long a; long b; };
self struct pair one;
self struct pair two;
self int t[struct pair];
int u[struct pair];

BEGIN
{
	self->one.a = 1;
	self->two.a = 2;
	this->i = 1;
	self->t[this->i ? self->one : self->two] += 5;
	self->t[this->i ? self->one : self->two] |= 8;
	self->t[(this->i--) ? self->one : self->two]++;
	self->t[this->i ? self->one : self->two] = 100;
	self->t[this->i++ ? self->one : self->two] -= 1;
	u[this->i ? self->one : self->two] += (this->i = 0) + 3;
	printf("%d %d\n", self->t[self->one], self->t[self->two]);
	printf("%d %d %d\n", u[self->one], u[self->two], this->i);
	exit(0);
}
