/* Literals shorter than a word, in records and keys. */
BEGIN { printf("%s|%s%d", "abc", "d", 1); @["abc", "d"] = sum(1); if (pid) trace("e"); trace("f"); }
