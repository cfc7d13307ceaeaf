provider foo1 {
	probe p(int);
};
