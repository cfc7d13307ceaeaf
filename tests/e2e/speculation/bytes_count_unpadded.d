/* A speculation of 159 bytes holds the header of 16 bytes, two characters and a string with its terminator, but no
 * third character. @@options: -x droptags */
#pragma D option quiet
#pragma D option nspec=2
#pragma D option specsize=159
#pragma D option strsize=140
int first, second;
char c;
BEGIN { first = speculation(); second = speculation(); c = 'a'; }
BEGIN { speculate(first); printf("%c%c%s fits\n", c, c, probename); }
BEGIN { speculate(second); printf("%c%c%s%c does not fit\n", c, c, probename, c); }
BEGIN { commit(first); commit(second); }
BEGIN { exit(0); }
