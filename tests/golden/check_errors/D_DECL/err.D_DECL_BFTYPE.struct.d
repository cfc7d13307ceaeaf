struct t {
	int y;
};
struct s {
	struct t x : 3;
};
BEGIN { }
