/* Calls indirect functions of the C library, which select an implementation for the CPU, that the library does not
 * call. */
#include <string.h>
#include <time.h>

static const char* volatile text = "needle in a haystack";

int main(void) {
  int found = 0;
  for (int i = 0; i < 3; ++i) found += strstr(text, "hay") != NULL;
  return found != 3 || time(NULL) == 0;
}
