/* An array member as the destination. */
#pragma D option quiet

struct place { int x; char name[8]; } *v;

BEGIN {
  v = (struct place *)alloca(sizeof(struct place));
  bcopy("abc", v->name, 4);
  this->v = v;
  printf("%s ", stringof(v->name));
  bcopy("xyz", this->v->name, 3);
  printf("%s\n", stringof(this->v->name));
  exit(0);
}
