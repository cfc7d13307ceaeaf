enum s {
	X
};
enum s {
	Y
};
BEGIN { }
