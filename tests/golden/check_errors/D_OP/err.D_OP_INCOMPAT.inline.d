inline string x = 3;
BEGIN { exit(0); }
