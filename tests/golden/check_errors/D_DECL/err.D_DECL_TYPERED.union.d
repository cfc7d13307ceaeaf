union s {
	int x;
};
union s {
	int x;
};
BEGIN { }
