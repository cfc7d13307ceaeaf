
int good;
struct bad {
	int a
	int b;
};
