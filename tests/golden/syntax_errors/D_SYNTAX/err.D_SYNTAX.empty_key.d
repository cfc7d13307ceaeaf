BEGIN { @a[] = count(); }
