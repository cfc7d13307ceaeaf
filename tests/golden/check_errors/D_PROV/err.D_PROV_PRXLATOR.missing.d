struct in {
	int a;
	char b[8];
};
typedef struct out {
	int x;
	char name[8];
} out_t;
provider foo {
	probe p(int a, struct in *b) : (out_t *b);
};
