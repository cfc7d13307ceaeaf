/* Sums of many divisions, each of which could fault, and of strings: together the operands do not
   fit into the BPF stack. */
#pragma D option quiet

BEGIN {
  x = pid ? 7 : 8;
  y = pid ? 3 : 4;
  z = ((x * 1) % (y + 1) ^ (x << 1)) + ((x * 2) % (y + 2) ^ (x << 2)) + ((x * 3) % (y + 3) ^ (x << 3)) + ((x * 4) % (y + 4) ^ (x << 4)) +
      ((x * 5) % (y + 5) ^ (x << 5)) + ((x * 6) % (y + 6) ^ (x << 6)) + ((x * 7) % (y + 7) ^ (x << 7)) + ((x * 8) % (y + 8) ^ (x << 8)) +
      ((x * 9) % (y + 9) ^ (x << 9)) + ((x * 10) % (y + 10) ^ (x << 10)) + ((x * 11) % (y + 11) ^ (x << 11)) + ((x * 12) % (y + 12) ^ (x << 12)) +
      ((x * 13) % (y + 13) ^ (x << 13)) + ((x * 14) % (y + 14) ^ (x << 14)) + ((x * 15) % (y + 15) ^ (x << 15)) + ((x * 16) % (y + 16) ^ (x << 16)) +
      ((x * 17) % (y + 17) ^ (x << 17)) + ((x * 18) % (y + 18) ^ (x << 18)) + ((x * 19) % (y + 19) ^ (x << 19)) + ((x * 20) % (y + 20) ^ (x << 0)) +
      ((x * 21) % (y + 21) ^ (x << 1)) + ((x * 22) % (y + 22) ^ (x << 2)) + ((x * 23) % (y + 23) ^ (x << 3)) + ((x * 24) % (y + 24) ^ (x << 4)) +
      ((x * 25) % (y + 25) ^ (x << 5)) + ((x * 26) % (y + 26) ^ (x << 6)) + ((x * 27) % (y + 27) ^ (x << 7)) + ((x * 28) % (y + 28) ^ (x << 8)) +
      ((x * 29) % (y + 29) ^ (x << 9)) + ((x * 30) % (y + 30) ^ (x << 10)) + ((x * 31) % (y + 31) ^ (x << 11)) + ((x * 32) % (y + 32) ^ (x << 12)) +
      ((x * 33) % (y + 33) ^ (x << 13)) + ((x * 34) % (y + 34) ^ (x << 14)) + ((x * 35) % (y + 35) ^ (x << 15)) + ((x * 36) % (y + 36) ^ (x << 16)) +
      ((x * 37) % (y + 37) ^ (x << 17)) + ((x * 38) % (y + 38) ^ (x << 18)) + ((x * 39) % (y + 39) ^ (x << 19)) + ((x * 40) % (y + 40) ^ (x << 0)) +
      ((x * 41) % (y + 41) ^ (x << 1)) + ((x * 42) % (y + 42) ^ (x << 2)) + ((x * 43) % (y + 43) ^ (x << 3)) + ((x * 44) % (y + 44) ^ (x << 4)) +
      ((x * 45) % (y + 45) ^ (x << 5)) + ((x * 46) % (y + 46) ^ (x << 6)) + ((x * 47) % (y + 47) ^ (x << 7)) + ((x * 48) % (y + 48) ^ (x << 8)) +
      ((x * 49) % (y + 49) ^ (x << 9)) + ((x * 50) % (y + 50) ^ (x << 10)) + ((x * 51) % (y + 51) ^ (x << 11)) + ((x * 52) % (y + 52) ^ (x << 12)) +
      ((x * 53) % (y + 53) ^ (x << 13)) + ((x * 54) % (y + 54) ^ (x << 14)) + ((x * 55) % (y + 55) ^ (x << 15)) + ((x * 56) % (y + 56) ^ (x << 16)) +
      ((x * 57) % (y + 57) ^ (x << 17)) + ((x * 58) % (y + 58) ^ (x << 18)) + ((x * 59) % (y + 59) ^ (x << 19)) + ((x * 60) % (y + 60) ^ (x << 0));
  length = strlen(strjoin("a0", execname)) + strlen(strjoin("a1", execname)) + strlen(strjoin("a2", execname)) + strlen(strjoin("a3", execname)) +
           strlen(strjoin("a4", execname)) + strlen(strjoin("a5", execname)) + strlen(strjoin("a6", execname)) + strlen(strjoin("a7", execname)) +
           strlen(strjoin("a8", execname)) + strlen(strjoin("a9", execname)) + strlen(strjoin("a10", execname)) + strlen(strjoin("a11", execname)) +
           strlen(strjoin("a12", execname)) + strlen(strjoin("a13", execname)) + strlen(strjoin("a14", execname)) + strlen(strjoin("a15", execname)) +
           strlen(strjoin("a16", execname)) + strlen(strjoin("a17", execname)) + strlen(strjoin("a18", execname)) + strlen(strjoin("a19", execname)) +
           strlen(strjoin("a20", execname)) + strlen(strjoin("a21", execname)) + strlen(strjoin("a22", execname)) + strlen(strjoin("a23", execname)) +
           strlen(strjoin("a24", execname)) + strlen(strjoin("a25", execname)) + strlen(strjoin("a26", execname)) + strlen(strjoin("a27", execname)) +
           strlen(strjoin("a28", execname)) + strlen(strjoin("a29", execname)) + strlen(strjoin("a30", execname)) + strlen(strjoin("a31", execname)) +
           strlen(strjoin("a32", execname)) + strlen(strjoin("a33", execname)) + strlen(strjoin("a34", execname)) + strlen(strjoin("a35", execname)) +
           strlen(strjoin("a36", execname)) + strlen(strjoin("a37", execname)) + strlen(strjoin("a38", execname)) + strlen(strjoin("a39", execname));
  printf("%d %d\n", z, length);
  exit(0);
}
