struct in {
	int a;
	char b[8];
};
typedef struct out {
	int x;
	char name[8];
} out_t;
/* Any type can be translated: numbers, pointers to undefined structs, structs by value. */
struct unknown;
translator out_t < int i > {
	x = i;
	name = "n";
};
translator out_t < struct unknown *u > {
	x = (int)(long)u;
};
translator out_t < struct in i > {
	x = i.a;
	name = i.b;
};
translator struct in < out_t o > {
	a = o.x;
};
translator out_t < struct list_head *l > {
};

/* A translation of a translation, and members that are translations. */
typedef struct whole {
	out_t part;
	struct whole *next;
} whole_t;
translator whole_t < int i > {
	part = xlate <out_t> (i);
	next = xlate <whole_t *> (i + 1);
};
inline whole_t *first = xlate <whole_t *> (pid);
inline out_t by_number[int n] = xlate <out_t> (n);

provider seen {
	probe start(struct in i, int n) : (out_t *i, out_t i, int n, long n);
	probe done();
};
provider seen {
	probe done();
	probe start(struct in other, int name) : (out_t *other, out_t other, int name, long name);
};

BEGIN
{
	trace(first->part.x + first->next->next->part.x);
	trace(by_number[3].name);
	trace((*first).part.name);
	trace((xlate <struct in> (xlate <out_t> (3))).a);
	copy = xlate <out_t> (3);
	self->copy = first->part;
	this->copy = by_number[pid];
	copies[1] = *first;
	trace(copy.x);
	trace(sizeof(first->part.name));
}
