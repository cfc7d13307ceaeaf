provider foo {
	probe p(int);
	probe q();
};
provider foo {
	probe p(int);
};
