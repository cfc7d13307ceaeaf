BEGIN { @a = count(); } END { trunc(a, 3); }
