enum e {
	A
};
enum f {
	A
};
BEGIN { }
