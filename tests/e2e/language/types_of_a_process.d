/* pid`type names a type from the debug information of the process. Pointers to such types are userland pointers, so members
   are copied in, through any number of pointers.
   @@command: %T/described */
#pragma D option quiet

userland char *unused;

typedef struct pid$target`node node_t;
pid$target`record_t *whole;
userland struct pid$target`node copy;

BEGIN
{
  printf("%d %d %d\n", sizeof(pid$target`record_t), sizeof(struct pid`record), offsetof(pid$target`record_t, list));
}

syscall::write:entry
/pid == $target && arg2 == sizeof(pid$target`record_t)/
{
  this->r = (pid$target`record_t *)arg1;
  printf("%s %d\n", stringof(this->r->name), this->r->value);
  printf("%d %s\n", this->r->first.number, stringof(this->r->first.text));
  printf("%d %s\n", this->r->first.next->number, stringof(this->r->list->text));
  printf("%d %d %d %d\n", this->r->low, this->r->high, this->r->color, this->r->color == GREEN);
  printf("%x %x %d\n", this->r->whole, this->r->half[1], this->r->table[1][2]);
  self->kept = (node_t *)&this->r->first;
  whole = this->r;
  copy = whole->first;
}

syscall::write:return
/self->kept != NULL/
{
  printf("%d %d\n", self->kept->number, self->kept->next->next == NULL);
  printf("%d %d %s\n", whole->value, copy.number, stringof(copy.text));
  self->kept = 0;
}

syscall::write:entry
/pid == $target && arg2 == sizeof(pid$target`shop::Box<long int>)/
{
  this->b = (struct pid$target`Box<long int> *)arg1;
  printf("%d %d %d\n", this->b->base_value, this->b->content, this->b->kind);
  printf("%d %d\n", this->b->self->content, this->b->reference->content);
  printf("%d\n", ((pid$target`described`struct node *)0) == NULL);
}
