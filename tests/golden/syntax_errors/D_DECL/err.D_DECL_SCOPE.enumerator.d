enum e {
	a`b
};
BEGIN { }
