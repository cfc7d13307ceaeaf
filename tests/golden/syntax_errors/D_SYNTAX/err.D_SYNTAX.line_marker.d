# 7 "included.h" 1
int x
BEGIN { }
