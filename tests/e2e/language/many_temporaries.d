/* Twenty string temporaries in one expression and one clause. */
#pragma D option quiet

BEGIN {
  s = "a";
  t = strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(strjoin(s, "0"), "1"), "2"), "3"), "4"), "5"), "6"), "7"), "8"), "9"), "10"), "11"), "12"), "13"), "14"), "15"), "16"), "17"), "18"), "19");
  printf("%s\n", t);
  t0 = strjoin(strjoin(s, "0"), substr(strjoin(execname, s), 0));
  t1 = strjoin(strjoin(s, "1"), substr(strjoin(execname, s), 1));
  t2 = strjoin(strjoin(s, "2"), substr(strjoin(execname, s), 2));
  t3 = strjoin(strjoin(s, "3"), substr(strjoin(execname, s), 3));
  t4 = strjoin(strjoin(s, "4"), substr(strjoin(execname, s), 4));
  t5 = strjoin(strjoin(s, "5"), substr(strjoin(execname, s), 0));
  t6 = strjoin(strjoin(s, "6"), substr(strjoin(execname, s), 1));
  t7 = strjoin(strjoin(s, "7"), substr(strjoin(execname, s), 2));
  t8 = strjoin(strjoin(s, "8"), substr(strjoin(execname, s), 3));
  t9 = strjoin(strjoin(s, "9"), substr(strjoin(execname, s), 4));
  t10 = strjoin(strjoin(s, "10"), substr(strjoin(execname, s), 0));
  t11 = strjoin(strjoin(s, "11"), substr(strjoin(execname, s), 1));
  t12 = strjoin(strjoin(s, "12"), substr(strjoin(execname, s), 2));
  t13 = strjoin(strjoin(s, "13"), substr(strjoin(execname, s), 3));
  t14 = strjoin(strjoin(s, "14"), substr(strjoin(execname, s), 4));
  t15 = strjoin(strjoin(s, "15"), substr(strjoin(execname, s), 0));
  t16 = strjoin(strjoin(s, "16"), substr(strjoin(execname, s), 1));
  t17 = strjoin(strjoin(s, "17"), substr(strjoin(execname, s), 2));
  t18 = strjoin(strjoin(s, "18"), substr(strjoin(execname, s), 3));
  t19 = strjoin(strjoin(s, "19"), substr(strjoin(execname, s), 4));
  printf("%s %s %s\n", t0, t7, t19);
  exit(0);
}
