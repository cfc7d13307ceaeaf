BEGIN
/ /
{ }
