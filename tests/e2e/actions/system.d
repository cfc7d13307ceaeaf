/* @@options: -w
 * system(): the command runs at its position in the output. Its own output is not part of the row. */
#pragma D option quiet

BEGIN { printf("one\n"); system("echo two %s %d", "three", 4); printf("five\n"); }
BEGIN { n = 2; system("echo %d", n); system("for i in a b; do echo $i; done; exit %d", 3); }
BEGIN { system("echo to the other stream >&2"); system("yes | head -n 1"); }
BEGIN { system("nosuchcommand_%d 2>/dev/null", 1); system("echo %%s"); printf("end\n"); exit(0); }
