BEGIN
{
	trace(self->x[1]);
}
