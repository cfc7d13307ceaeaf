/* Each reason for a failed speculation has its own message. */
/* @@options: -q -xdroptags -xnspec=2 */
BEGIN { a = speculation(); b = speculation(); printf("%d %d\n", a, b); }
BEGIN { printf("%d\n", speculation()); printf("%d\n", speculation()); }
BEGIN { commit(a); }
BEGIN { printf("%d\n", speculation()); }
BEGIN { exit(0); }
