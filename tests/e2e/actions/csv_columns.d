/* CSV has a quoted cell for a constant. Columns have the names of simple expressions.
 * @@options: --format=csv */
BEGIN
{
	trace("x,y");
	printf("%s %d %d\n", "he said \"hi\", ok", 5, 6);
	this->n = 7;
	printf("%d %d %s %s\n", this->n, this->n + 1, strjoin("a", "b"), this->n > 5 ? "big" : "small");
	@[this->n, this->n > 5 ? "big" : "small", (int)this->n] = count();
	exit(0);
}
