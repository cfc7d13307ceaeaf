/* Every subroutine with NULL and with unmapped addresses: code and value of the fault. */
#pragma D option quiet

string none;
struct path *no_path;

BEGIN { none = NULL; what = ""; }
ERROR { printf("%s: %s %d %x\n", what, arg4 == DTRACEFLT_BADADDR ? "address" : "fault", arg4, arg5); }

BEGIN { what = "basename"; basename(none); }
BEGIN { what = "dirname"; dirname(none); }
BEGIN { what = "cleanpath"; cleanpath(none); }
BEGIN { what = "strlen"; strlen(none); }
BEGIN { what = "strjoin 1"; strjoin(none, "b"); }
BEGIN { what = "strjoin 2"; strjoin("a", none); }
BEGIN { what = "substr"; substr(none, 1); }
BEGIN { what = "index 1"; index(none, "b"); }
BEGIN { what = "index 2"; index("a", none); }
BEGIN { what = "rindex 1"; rindex(none, "b"); }
BEGIN { what = "rindex 2"; rindex("a", none); }
BEGIN { what = "strchr"; strchr(none, 'a'); }
BEGIN { what = "strrchr"; strrchr(none, 'a'); }
BEGIN { what = "strstr 1"; strstr(none, "a"); }
BEGIN { what = "strstr 2"; strstr("a", none); }
BEGIN { what = "strtok first"; strtok(NULL, ","); }
BEGIN { what = "strtok 1"; strtok(none, ","); }
BEGIN { what = "strtok 2"; strtok("a", none); }
BEGIN { what = "json 1"; json(none, "a"); }
BEGIN { what = "json 2"; json("{}", none); }
BEGIN { what = "toupper"; toupper(none); }
BEGIN { what = "tolower"; tolower(none); }
BEGIN { what = "strtoll"; strtoll(none); }
BEGIN { what = "strtoll base"; strtoll("1", 1); }
BEGIN { what = "lltostr base"; lltostr(1, 37); }
BEGIN { what = "inet_ntoa"; inet_ntoa((ipaddr_t *)NULL); }
BEGIN { what = "inet_ntoa bad"; inet_ntoa((ipaddr_t *)64); }
BEGIN { what = "inet_ntoa6"; inet_ntoa6((struct in6_addr *)NULL); }
BEGIN { what = "inet_ntop"; inet_ntop(10, NULL); }
BEGIN { what = "inet_ntop bad"; inet_ntop(2, (void *)64); }
BEGIN { what = "link_ntop"; link_ntop(1, NULL); }
BEGIN { what = "link_ntop type"; link_ntop(2, NULL); }
BEGIN { what = "copyin"; copyin(0, 4); }
BEGIN { what = "copyin bad"; copyin(64, 4); }
BEGIN { what = "copyin size"; n = -1; copyin(64, n); }
BEGIN { what = "copyin large"; n = 257; copyin(64, n); }
BEGIN { what = "copyinstr"; copyinstr(0); }
BEGIN { what = "copyinstr bad"; copyinstr(64); }
BEGIN { what = "copyinto"; copyinto(0, 4, alloca(4)); }
BEGIN { what = "copyinto bad"; copyinto(64, 4, alloca(4)); }
BEGIN { what = "copyinto size"; n = -1; copyinto(64, n, alloca(4)); }
BEGIN { what = "copyinto outside"; copyinto(64, 16, alloca(4)); }
BEGIN { what = "bcopy"; bcopy(NULL, alloca(4), 4); }
BEGIN { what = "bcopy bad"; bcopy((void *)64, alloca(4), 4); }
BEGIN { what = "bcopy size"; n = -1; bcopy(curthread, alloca(4), n); }
BEGIN { what = "bcopy outside"; bcopy(curthread, alloca(4), 16); }
BEGIN { what = "alloca"; n = 300; alloca(n); }
BEGIN { what = "alloca again"; alloca(200); alloca(100); }
BEGIN { what = "mutex_owned"; mutex_owned((struct mutex *)NULL); }
BEGIN { what = "mutex_owner bad"; mutex_owner((struct mutex *)64); }
BEGIN { what = "mutex_type_spin"; mutex_type_spin((struct mutex *)NULL); }
BEGIN { what = "rw_iswriter"; rw_iswriter((rwlock_t *)NULL); }
BEGIN { what = "rw_read_held bad"; rw_read_held((rwlock_t *)64); }
BEGIN { what = "rw_write_held"; rw_write_held((rwlock_t *)NULL); }
BEGIN { what = "d_path"; printf("%s\n", d_path(no_path)); }
BEGIN { what = "commit"; commit(-1); }
BEGIN { exit(0); }
