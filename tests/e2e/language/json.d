/* json(): elements by key, index and path; strings without quotes, other values as written. A missing element is NULL. */
#pragma D option quiet

string text;

BEGIN
{
	text = "{ \"name\": \"disk0\", \"size\": -1.5e3, \"ok\": true, \"none\": null, \"a.b\": 4, \"q\": \"say \\\"hi\\\"\",";
	text = strjoin(text, " \"list\": [ 10, { \"deep\": [ \"x\", \"y\" ] }, [ ] ], \"empty\": \"\" }");
	printf("%s|%s|%s|%s\n", json(text, "name"), json(text, "size"), json(text, "ok"), json(text, "none"));
	printf("%s|%s|%s\n", json(text, "list[0]"), json(text, "list[1].deep[1]"), json(text, "list[1]"));
	printf("%s|%s|%s\n", json(text, "[\"a.b\"]"), json(text, "q"), json(text, "list[2]"));
	printf("%d %d\n", strlen(json(text, "empty")), strtoll(json(text, "list[0]")) + 1);
}

BEGIN
{
	printf("%d%d%d%d%d\n", json(text, "nosuch") == NULL, json(text, "list[9]") == NULL, json(text, "name.x") == NULL,
	    json("not json", "name") == NULL, json(text, "") == NULL);
	printf("[%s]\n", json(text, "nosuch"));
	element = "li";
	printf("%s\n", json(json(text, "list"), strjoin("[1", "].deep")));
	printf("%s\n", json(text, strjoin(element, "st[0]")));
}

BEGIN { strlen(json(text, "nosuch")); printf("not reached\n"); }
BEGIN { json(NULL, "x"); printf("not reached\n"); }
BEGIN { json(text, NULL); printf("not reached\n"); }
BEGIN { exit(0); }
