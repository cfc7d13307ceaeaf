struct s {
	void x[3];
};
BEGIN { }
