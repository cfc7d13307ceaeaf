/* basename() over its table. */
#pragma D option quiet

BEGIN {
  v = "/a/name/";
  printf("[%s]\n", basename("/foo/bar/baz"));
  printf("[%s]\n", basename("/foo/bar/baz/"));
  printf("[%s]\n", basename("/foo/bar/baz//"));
  printf("[%s]\n", basename("/foo/bar///baz/"));
  printf("[%s]\n", basename("/foo/bar/baz/."));
  printf("[%s]\n", basename("/foo/bar/baz/./"));
  printf("[%s]\n", basename("/foo/bar/baz/.//"));
  printf("[%s]\n", basename("foo/bar/baz/"));
  printf("[%s]\n", basename("/"));
  printf("[%s]\n", basename("//"));
  printf("[%s]\n", basename("/////"));
  printf("[%s]\n", basename("./"));
  printf("[%s]\n", basename("."));
  printf("[%s]\n", basename("/."));
  printf("[%s]\n", basename("/./"));
  printf("[%s]\n", basename("/.//"));
  printf("[%s]\n", basename("/./."));
  printf("[%s]\n", basename("f"));
  printf("[%s]\n", basename("f/"));
  printf("[%s]\n", basename(""));
  printf("[%s]\n", basename(v));
  exit(0);
}
