provider foo {
	probe p(int a) : (int b);
};
