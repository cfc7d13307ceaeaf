struct in {
	int a;
	char b[8];
};
typedef struct out {
	int x;
	char name[8];
} out_t;
translator out_t < int i > {
	x = "text";
};
