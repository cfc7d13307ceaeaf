/* Has the static probes and the functions of servers, by which tools recognize what they do.
 *   servers postgres N   N queries, each with its number, after the first of 2 ms
 *   servers mariadb N    a ping, N queries, a prepared statement and its execution, as MariaDB dispatches them
 *   servers mysql N      the same, as MySQL does
 *   servers java N       N full collections and N young ones
 *   servers node N       the same, as Node.js does
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <time.h>

#define SERVER_FUNCTION(name) __asm__(name) __attribute__((noinline, noclone, used))

enum { query = 3, ping = 14, prepare = 22, execute = 23 };

/* bool dispatch_command(enum_server_command, THD*, char* packet, unsigned length, bool blocking) */
int dispatch_mariadb(int command, void* thread, char* packet, unsigned length, int is_blocking)
    SERVER_FUNCTION("_Z16dispatch_command19enum_server_commandP3THDPcjb");
int dispatch_mariadb(int command, void* thread, char* packet, unsigned length, int is_blocking) {
  __asm__ volatile("" : : "r"(thread), "r"(packet), "r"(length), "r"(is_blocking) : "memory");
  return command == 0;
}

struct query_data {
  const char* query;
  unsigned length;
};

/* bool dispatch_command(THD*, const COM_DATA*, enum_server_command) */
int dispatch_mysql(void* thread, const struct query_data* data, int command)
    SERVER_FUNCTION("_Z16dispatch_commandP3THDPK8COM_DATA19enum_server_command");
int dispatch_mysql(void* thread, const struct query_data* data, int command) {
  __asm__ volatile("" : : "r"(thread), "r"(data) : "memory");
  return command == 0;
}

/* The packet has other text after its end, as those of servers have. */
static void dispatch(int is_mysql, int command, const char* text) {
  char packet[64];
  unsigned length = (unsigned)snprintf(packet, sizeof packet, "%sREST", text) - 4;
  struct query_data data = {packet, length};
  if (is_mysql) dispatch_mysql(NULL, &data, command);
  else dispatch_mariadb(command, NULL, packet, length, 1);
}

static void serve_commands(int is_mysql, long count) {
  char text[32];
  dispatch(is_mysql, ping, "");
  for (long i = 0; i < count; ++i) {
    snprintf(text, sizeof text, "select %ld", i);
    dispatch(is_mysql, query, text);
  }
  dispatch(is_mysql, prepare, "select ?");
  dispatch(is_mysql, execute, "\1");
}

static void serve_postgres(long count) {
  const struct timespec two_milliseconds = {.tv_nsec = 2000000};
  char text[32];
  for (long i = 0; i < count; ++i) {
    snprintf(text, sizeof text, "select %ld", i);
    DTRACE_PROBE1(postgresql, query__start, text);
    if (i == 0) nanosleep(&two_milliseconds, NULL);
    DTRACE_PROBE1(postgresql, query__done, text);
  }
}

static void collect(long count) {
  for (long i = 0; i < 2 * count; ++i) {
    DTRACE_PROBE1(hotspot, gc__begin, i % 2);
    DTRACE_PROBE(hotspot, gc__end);
  }
}

/* MarkCompact() and CollectGarbage(AllocationSpace, GarbageCollectionReason, GCCallbackFlags) of the heap of V8 */
void mark_compact(void* heap) SERVER_FUNCTION("_ZN2v88internal4Heap11MarkCompactEv");
void mark_compact(void* heap) { __asm__ volatile("" : : "r"(heap) : "memory"); }

int collect_garbage(void* heap, int space) SERVER_FUNCTION(
    "_ZN2v88internal4Heap14CollectGarbageENS0_15AllocationSpaceENS0_23GarbageCollectionReasonENS_15GCCallbackFlagsE");
int collect_garbage(void* heap, int space) {
  if (space != 0) mark_compact(heap);
  __asm__ volatile("" : : : "memory");
  return space;
}

static void collect_in_node(long count) {
  for (long i = 0; i < 2 * count; ++i) collect_garbage(NULL, (int)(i % 2));
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  long count = argc > 2 ? atol(argv[2]) : 1;
  if (strcmp(mode, "postgres") == 0) serve_postgres(count);
  else if (strcmp(mode, "mariadb") == 0) serve_commands(0, count);
  else if (strcmp(mode, "mysql") == 0) serve_commands(1, count);
  else if (strcmp(mode, "java") == 0) collect(count);
  else if (strcmp(mode, "node") == 0) collect_in_node(count);
  else return 2;
  return 0;
}
