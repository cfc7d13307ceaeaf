/* A chain of 80 conditionals, each with a string result, needs no more scratch space than one. */
#pragma D option quiet

BEGIN {
  x = 3;
  y = x == 0 ? strjoin("case ", lltostr(x)) :
    x == 1 ? strjoin("case ", lltostr(x)) :
    x == 2 ? strjoin("case ", lltostr(x)) :
    x == 3 ? strjoin("case ", lltostr(x)) :
    x == 4 ? strjoin("case ", lltostr(x)) :
    x == 5 ? strjoin("case ", lltostr(x)) :
    x == 6 ? strjoin("case ", lltostr(x)) :
    x == 7 ? strjoin("case ", lltostr(x)) :
    x == 8 ? strjoin("case ", lltostr(x)) :
    x == 9 ? strjoin("case ", lltostr(x)) :
    x == 10 ? strjoin("case ", lltostr(x)) :
    x == 11 ? strjoin("case ", lltostr(x)) :
    x == 12 ? strjoin("case ", lltostr(x)) :
    x == 13 ? strjoin("case ", lltostr(x)) :
    x == 14 ? strjoin("case ", lltostr(x)) :
    x == 15 ? strjoin("case ", lltostr(x)) :
    x == 16 ? strjoin("case ", lltostr(x)) :
    x == 17 ? strjoin("case ", lltostr(x)) :
    x == 18 ? strjoin("case ", lltostr(x)) :
    x == 19 ? strjoin("case ", lltostr(x)) :
    x == 20 ? strjoin("case ", lltostr(x)) :
    x == 21 ? strjoin("case ", lltostr(x)) :
    x == 22 ? strjoin("case ", lltostr(x)) :
    x == 23 ? strjoin("case ", lltostr(x)) :
    x == 24 ? strjoin("case ", lltostr(x)) :
    x == 25 ? strjoin("case ", lltostr(x)) :
    x == 26 ? strjoin("case ", lltostr(x)) :
    x == 27 ? strjoin("case ", lltostr(x)) :
    x == 28 ? strjoin("case ", lltostr(x)) :
    x == 29 ? strjoin("case ", lltostr(x)) :
    x == 30 ? strjoin("case ", lltostr(x)) :
    x == 31 ? strjoin("case ", lltostr(x)) :
    x == 32 ? strjoin("case ", lltostr(x)) :
    x == 33 ? strjoin("case ", lltostr(x)) :
    x == 34 ? strjoin("case ", lltostr(x)) :
    x == 35 ? strjoin("case ", lltostr(x)) :
    x == 36 ? strjoin("case ", lltostr(x)) :
    x == 37 ? strjoin("case ", lltostr(x)) :
    x == 38 ? strjoin("case ", lltostr(x)) :
    x == 39 ? strjoin("case ", lltostr(x)) :
    x == 40 ? strjoin("case ", lltostr(x)) :
    x == 41 ? strjoin("case ", lltostr(x)) :
    x == 42 ? strjoin("case ", lltostr(x)) :
    x == 43 ? strjoin("case ", lltostr(x)) :
    x == 44 ? strjoin("case ", lltostr(x)) :
    x == 45 ? strjoin("case ", lltostr(x)) :
    x == 46 ? strjoin("case ", lltostr(x)) :
    x == 47 ? strjoin("case ", lltostr(x)) :
    x == 48 ? strjoin("case ", lltostr(x)) :
    x == 49 ? strjoin("case ", lltostr(x)) :
    x == 50 ? strjoin("case ", lltostr(x)) :
    x == 51 ? strjoin("case ", lltostr(x)) :
    x == 52 ? strjoin("case ", lltostr(x)) :
    x == 53 ? strjoin("case ", lltostr(x)) :
    x == 54 ? strjoin("case ", lltostr(x)) :
    x == 55 ? strjoin("case ", lltostr(x)) :
    x == 56 ? strjoin("case ", lltostr(x)) :
    x == 57 ? strjoin("case ", lltostr(x)) :
    x == 58 ? strjoin("case ", lltostr(x)) :
    x == 59 ? strjoin("case ", lltostr(x)) :
    x == 60 ? strjoin("case ", lltostr(x)) :
    x == 61 ? strjoin("case ", lltostr(x)) :
    x == 62 ? strjoin("case ", lltostr(x)) :
    x == 63 ? strjoin("case ", lltostr(x)) :
    x == 64 ? strjoin("case ", lltostr(x)) :
    x == 65 ? strjoin("case ", lltostr(x)) :
    x == 66 ? strjoin("case ", lltostr(x)) :
    x == 67 ? strjoin("case ", lltostr(x)) :
    x == 68 ? strjoin("case ", lltostr(x)) :
    x == 69 ? strjoin("case ", lltostr(x)) :
    x == 70 ? strjoin("case ", lltostr(x)) :
    x == 71 ? strjoin("case ", lltostr(x)) :
    x == 72 ? strjoin("case ", lltostr(x)) :
    x == 73 ? strjoin("case ", lltostr(x)) :
    x == 74 ? strjoin("case ", lltostr(x)) :
    x == 75 ? strjoin("case ", lltostr(x)) :
    x == 76 ? strjoin("case ", lltostr(x)) :
    x == 77 ? strjoin("case ", lltostr(x)) :
    x == 78 ? strjoin("case ", lltostr(x)) :
    x == 79 ? NULL :
    "none";
  printf("%s\n", y);
  exit(0);
}
