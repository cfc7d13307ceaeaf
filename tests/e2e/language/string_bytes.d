/* Bytes of strings can be assigned wherever the string is stored. i + s equals s + i. */
#pragma D option quiet
#pragma D option scratchsize=1k

struct pair { string text; int number; };
string word;
self string mine;
this string here;
string names[int];
string row[3];
int lengths[string];
struct pair one, several[int];
this struct pair *made;

BEGIN {
  word = "abc"; word[1] = 'X'; i = 2; word[i] = 'Y'; *word = 'J';
  *(word + 1) = 'K'; *(0 + word) = 'L';
  printf("%s", word);
  word[0]++; word[1] += 2; word[i] -= 1; --*word;
  printf(" %s\n", word);
}
BEGIN {
  self->mine = "abc"; self->mine[1] = 'X'; *self->mine = 'Q'; self->mine[2]++;
  this->here = "abc"; this->here[1] = 'X'; this->here[0]++;
  printf("%s %s\n", self->mine, this->here);
}
BEGIN {
  i = 4; names[4] = "abc"; names[i++][2]++; *names[4] = 'W';
  printf("%s %d\n", names[4], i);
}
BEGIN {
  one.text = "abc"; one.text[1] = 'X';
  row[2] = "ghi"; row[2][0] = 'G';
  several[3].text = "xyz"; several[3].text[1]--;
  this->made = (struct pair *)alloca(sizeof (struct pair));
  this->made->text = "def"; this->made->text[0] = 'J';
  printf("%s %s %s %s\n", one.text, row[2], several[3].text, this->made->text);
}
BEGIN { word = "abc"; first = &word[1]; *first = '!'; first[1] = '?'; printf("%s %s %c\n", word, 1 + word, *(1 + word)); }

/* Bytes after the terminator are kept, but are not part of the string. */
BEGIN {
  word = "be"; word[3] = 't'; printf("%s %c", strjoin(word, "!"), word[3]);
  word[2] = 's'; printf(" %s", word);
  word[1] = 0; lengths[word] = 1; printf(" %d %d\n", lengths["b"], word == "b");
  first = &one.text[1]; *first = 0;
  chars = (char *)row[2]; chars[2] = '?';
  printf("%s %s\n", one.text, row[2]);
}

BEGIN { word[256] = 'X'; }
BEGIN { word[-1] = 'X'; }
BEGIN { names[9][0] = 'X'; }
BEGIN { word = NULL; *word = 'X'; }
BEGIN { printf("%d\n", names[9] == NULL); exit(0); }
ERROR { printf("fault %d %d\n", arg4, arg5); }
