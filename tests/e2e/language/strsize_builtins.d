/* Built-in strings longer than strsize are truncated in every use. */
#pragma D option quiet
#pragma D option strsize=4

BEGIN {
  x = 1;
  printf("%s %s %s %s\n", probename, execname, probeprov, stringof(curthread->comm));
  printf("%s %s\n", x ? probename : "a", x ? execname : "b");
  this->s = execname; self->s = probename; printf("%s %s\n", this->s, self->s);
  a[execname] = 1; printf("%d %d\n", a["dsco"], strlen(probeprov));
  @k[probename, execname] = count(); printa("%s %s %@d\n", @k);
  exit(0);
}
