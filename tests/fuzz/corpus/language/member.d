io:::start
{
  @[args[0]->b_