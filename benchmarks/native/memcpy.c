/*
 * The ceiling of a single copy: C's memcpy of one message into 64 slots in turn, in MB/s (best of ten rounds).
 * One thread, one process; no MPI.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SLOTS = 64, ROUNDS = 10 };

static double now_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void copy_into_slots(char *slots, const char *message, size_t bytes) {
  for (size_t slot = 0; slot < SLOTS; slot++) {
    memcpy(slots + slot * bytes, message, bytes);
    __asm__ volatile("" : : "r"(slots) : "memory"); /* the compiler must not drop a copy */
  }
}

int main(void) {
  static const size_t sizes[] = {32 << 10, 2 << 20};
  printf("# memcpy into %d slots\n%-10s%20s\n", SLOTS, "# Size", "Bandwidth (MB/s)");
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    const size_t bytes = sizes[s];
    char *message = malloc(bytes), *slots = malloc(SLOTS * bytes);
    double best = 0;
    if (!message || !slots) return 1;
    memset(message, 1, bytes);
    memset(slots, 2, SLOTS * bytes);
    for (int round = 0; round < ROUNDS; round++) {
      const double start = now_seconds();
      copy_into_slots(slots, message, bytes);
      const double rate = (double)(SLOTS * bytes) / (now_seconds() - start) / 1e6;
      if (rate > best) best = rate;
    }
    printf("%-10zu%20.2f\n", bytes, best);
    free(message);
    free(slots);
  }
  return 0;
}
