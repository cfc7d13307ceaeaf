/* Strings of thousands of bytes, and many string temporaries. */
#pragma D option quiet
#pragma D option strsize=4096

BEGIN {
  s = "0123456789abcdef";
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  s = strjoin(s, s);
  printf("%d %s\n", strlen(s), substr(s, 4090));
  t0 = strjoin(substr(s, 4000), "x");
  t1 = strjoin(substr(s, 4001), "x");
  t2 = strjoin(substr(s, 4002), "x");
  t3 = strjoin(substr(s, 4003), "x");
  t4 = strjoin(substr(s, 4004), "x");
  t5 = strjoin(substr(s, 4005), "x");
  t6 = strjoin(substr(s, 4006), "x");
  t7 = strjoin(substr(s, 4007), "x");
  t8 = strjoin(substr(s, 4008), "x");
  t9 = strjoin(substr(s, 4009), "x");
  t10 = strjoin(substr(s, 4010), "x");
  t11 = strjoin(substr(s, 4011), "x");
  t12 = strjoin(substr(s, 4012), "x");
  t13 = strjoin(substr(s, 4013), "x");
  t14 = strjoin(substr(s, 4014), "x");
  t15 = strjoin(substr(s, 4015), "x");
  t16 = strjoin(substr(s, 4016), "x");
  t17 = strjoin(substr(s, 4017), "x");
  t18 = strjoin(substr(s, 4018), "x");
  t19 = strjoin(substr(s, 4019), "x");
  printf("%d %d\n", strlen(t0), strlen(t19));
  self->s = s; a["k"] = s; printf("%d %d\n", strlen(self->s), a["k"] == s);
  exit(0);
}
