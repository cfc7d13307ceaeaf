BEGIN { @a = count(); printf("%d\n", @a); }
