char a[4];
BEGIN
{
	copyinto(arg0, 4, &a[0]);
}
