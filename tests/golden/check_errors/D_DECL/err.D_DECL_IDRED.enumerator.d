int RED;
enum color { RED };
BEGIN { exit(0); }
