BEGIN { }
#error not   today
