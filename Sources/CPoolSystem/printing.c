#include "CPoolSystem.h"

#include <stdio.h>

#ifdef __linux__
#include <stdio_ext.h>
#endif

// Begins no text in UTF-8.
static const char untouched = (char)0xFF;

static char buffer[8 << 10];

void opool_watch_printing(void) {
  (void)setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
  buffer[0] = untouched;
}

static int has_pending(void) {
#ifdef __linux__
  return __fpending(stdout) > 0;
#else
  return 0;
#endif
}

int opool_has_printed(void) { return buffer[0] != untouched || has_pending(); }

void opool_flush_printed(void) {
  flockfile(stdout);
  (void)fflush(stdout);
  // What could not be written is still in the buffer.
  if (!has_pending()) buffer[0] = untouched;
  funlockfile(stdout);
}
