BEGIN,
nosuch
{ }
