BEGIN
{
	`jiffies = 1;
}
