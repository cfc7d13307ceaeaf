BEGIN
{
	self;
}
