provider foo {
	probe p(int);
	probe p(int);
};
