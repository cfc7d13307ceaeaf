/* dirname() over its table. */
#pragma D option quiet

BEGIN {
  v = "/a/name/";
  printf("[%s]\n", dirname("/foo/bar/baz"));
  printf("[%s]\n", dirname("/foo/bar/baz/"));
  printf("[%s]\n", dirname("/foo/bar/baz//"));
  printf("[%s]\n", dirname("/foo/bar///baz/"));
  printf("[%s]\n", dirname("/foo/bar/baz/."));
  printf("[%s]\n", dirname("/foo/bar/baz/./"));
  printf("[%s]\n", dirname("/foo/bar/baz/.//"));
  printf("[%s]\n", dirname("foo/bar/baz/"));
  printf("[%s]\n", dirname("/"));
  printf("[%s]\n", dirname("//"));
  printf("[%s]\n", dirname("/////"));
  printf("[%s]\n", dirname("./"));
  printf("[%s]\n", dirname("."));
  printf("[%s]\n", dirname("/."));
  printf("[%s]\n", dirname("/./"));
  printf("[%s]\n", dirname("/.//"));
  printf("[%s]\n", dirname("/./."));
  printf("[%s]\n", dirname("f"));
  printf("[%s]\n", dirname("f/"));
  printf("[%s]\n", dirname(""));
  printf("[%s]\n", dirname(v));
  printf("[%s]\n", dirname(dirname("/a/b/c")));
  exit(0);
}
