struct s {
	int;
};
BEGIN { exit(0); }
