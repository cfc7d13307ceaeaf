struct s {
	void m;
};
BEGIN { exit(0); }
