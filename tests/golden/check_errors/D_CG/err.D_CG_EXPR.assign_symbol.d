BEGIN
{
	self->x = sym(arg0);
}
