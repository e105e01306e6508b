/*
 * What the native twins share: message sizes, counts and command line, equal to ../osu/settings.ts.
 *   -m MIN:MAX   smallest and largest message in bytes (0 and powers of two)
 *   -x COUNT     warm-up iterations, for every size
 *   -i COUNT     timed iterations, for every size
 *   -s SECONDS   collectives: about how long one size may take
 *   -t TESTS     overlap: calls of MPI_Test while a rank computes
 */
#ifndef COMMWORLD_NATIVE_OSU_H
#define COMMWORLD_NATIVE_OSU_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LARGE_BYTES = 8192 };

struct counts {
  int small, small_warmup, large, large_warmup;
};
#define LATENCY_COUNTS ((struct counts){10000, 100, 1000, 10})
#define BANDWIDTH_COUNTS ((struct counts){100, 10, 20, 2})
#define COLLECTIVE_COUNTS ((struct counts){1000, 200, 100, 10})

struct settings {
  size_t min_bytes, max_bytes;
  int iterations, warmup; /* 0: those of the benchmark */
  double budget_seconds;  /* 0: no limit */
  int tests;
};

static inline struct settings read_settings(int argc, char **argv) {
  struct settings settings = {0, 4 << 20, 0, 0, 0, 0};
  int option;
  while ((option = getopt(argc, argv, "m:x:i:s:t:")) != -1) {
    if (option == 'm') sscanf(optarg, "%zu:%zu", &settings.min_bytes, &settings.max_bytes);
    if (option == 'x') settings.warmup = atoi(optarg);
    if (option == 'i') settings.iterations = atoi(optarg);
    if (option == 's') settings.budget_seconds = atof(optarg);
    if (option == 't') settings.tests = atoi(optarg);
  }
  return settings;
}

static inline size_t first_size(const struct settings *settings) {
  size_t bytes = 1;
  if (settings->min_bytes == 0) return 0;
  while (bytes < settings->min_bytes) bytes *= 2;
  return bytes;
}

static inline size_t next_size(size_t bytes) { return bytes == 0 ? 1 : bytes * 2; }

static inline int iterations_of(const struct settings *settings, struct counts counts, size_t bytes) {
  if (settings->iterations) return settings->iterations;
  return bytes > LARGE_BYTES ? counts.large : counts.small;
}

static inline int warmup_of(const struct settings *settings, struct counts counts, size_t bytes) {
  if (settings->warmup) return settings->warmup;
  return bytes > LARGE_BYTES ? counts.large_warmup : counts.small_warmup;
}

/* Page-aligned and touched, so that no page fault falls into a timed loop. */
static inline char *touched_memory(size_t bytes) {
  void *memory = NULL;
  if (bytes == 0) bytes = 1;
  if (posix_memalign(&memory, 4096, bytes) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  memset(memory, 1, bytes);
  return memory;
}

static inline double over_ranks(double value, MPI_Op op) {
  double result;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
  return result;
}

static inline double sum_over_ranks(double value) { return over_ranks(value, MPI_SUM); }

#endif
