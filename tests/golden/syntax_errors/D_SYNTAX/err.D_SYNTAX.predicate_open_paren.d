BEGIN
/(pid == 1/
{ }
