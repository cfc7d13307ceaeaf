/* Keys of up to 63 characters are stored in a separate map, invisibly to users. The path has 63 characters.
 * @@command: %T/calls open /no/00000000011111111112222222222333333333344444444445555555555 3 */
#pragma D option quiet
#pragma D option aggsortkey

string text;

BEGIN {
  text = "/no/000000000111111111122222222223333333333444444444455555555556666666666";
  @calls[substr(text, 0, 62), 1] = sum(62);
  @calls[substr(text, 0, 63), 1] = sum(63);
  @calls[substr(text, 0, 64), 1] = sum(64);
  @calls[text, 1] = sum(73);
  @calls["", 1] = sum(0);
  @calls[text, 1] = sum(73);
  @least[text] = min(5);
  @least[text] = min(3);
  @least["short"] = min(-1);
}

syscall::openat:entry /pid == $target && strlen(copyinstr(arg1)) == 63/ {
  @calls[copyinstr(arg1), 1] = sum(1000);
  @calls[strjoin(copyinstr(arg1), "6"), 1] = sum(1000);
}

END {
  printa("%s %d %@d\n", @calls);
  printa("%s %@d\n", @least);
  trunc(@calls, 2);
  printa("%s %d %@d\n", @calls);
}
