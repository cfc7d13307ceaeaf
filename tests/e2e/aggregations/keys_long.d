/* Keys of more than 300 bytes together. */
#pragma D option quiet

BEGIN { s = "0123456789"; s = strjoin(s, s); s = strjoin(s, s); s = strjoin(s, s); t = strjoin(s, s);
  @a[s, t, 5] = count(); @a[t, s, 5] = count(); @a[s, t, 5] = count(); exit(0); }
