/* Scalars, strings and objects of the three scopes. */
struct point { int x, y; short z; };
struct point where;
int numbers[4];
self struct point mine;
this struct point here;
string text;
BEGIN
{
	ticks = 1;
	text = "abc";
	numbers[2] = ticks;
	where.x = 3;
}
rawtp:sched::sched_wakeup
{
	self->started = timestamp;
	self->name = execname;
	mine_of_this = self->mine.x;
	this->depth = 2;
	this->text = "x";
	this->total = this->depth + this->here.y;
}
