struct in {
	int a;
	char b[8];
};
typedef struct out {
	int x;
	char name[8];
} out_t;
typedef struct whole {
	struct in part;
} whole_t;
translator out_t < int i > {
	x = i;
};
translator whole_t < int i > {
	part = xlate <out_t> (i);
};
