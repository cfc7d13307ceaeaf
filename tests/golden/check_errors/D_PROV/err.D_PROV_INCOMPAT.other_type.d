provider foo {
	probe p(int);
};
provider foo {
	probe p(char *);
};
