/* print() records the pointer and its object, tracemem() the maximum number of bytes. */
struct pair { char first; long second[2]; struct { int a, b; } inner; } pair;
BEGIN
{
	this->p = (struct pair *)alloca(sizeof (struct pair));
	print(this->p);
	print(pair);
	print(probefunc);
	tracemem(this->p, 12);
	tracemem(this->p, 12, pair.first);
}
