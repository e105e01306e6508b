/* How a collective is timed: the call alone, a barrier after each. Twin of ../osu/timed-calls.ts. */
#ifndef COMMWORLD_NATIVE_TIMED_CALLS_H
#define COMMWORLD_NATIVE_TIMED_CALLS_H

#include "collectives.h"

enum { FEWEST = 5 };

/* Anything that can be called again and again; `state` is what it works on. */
struct timed {
  void (*run)(void *state);
  void *state;
  int barriers;
};

/* Seconds that `iterations` calls take on this rank. */
static inline double time_calls(const struct timed *timed, int iterations) {
  double seconds = 0;
  for (int i = 0; i < iterations; i++) {
    const double start = MPI_Wtime();
    timed->run(timed->state);
    seconds += MPI_Wtime() - start;
    if (timed->barriers) MPI_Barrier(MPI_COMM_WORLD);
  }
  return seconds;
}

struct extent {
  int warmup, iterations;
  double budget_seconds; /* 0: no limit */
  int is_first;          /* warms up longer, whatever the budget */
};
#define COMPILE_SECONDS 0.4 /* C needs none; both sides have the same loops */

static inline struct extent extent_of(const struct settings *settings, size_t bytes) {
  return (struct extent){warmup_of(settings, COLLECTIVE_COUNTS, bytes),
                         iterations_of(settings, COLLECTIVE_COUNTS, bytes),
                         settings->budget_seconds, bytes == first_size(settings)};
}

/*
 * Warms up, in batches that double, for at most a quarter of the budget; returns how many
 * iterations fit into the rest, at least FEWEST. Every rank comes to the same count.
 */
static inline int warm_up(const struct timed *timed, struct extent extent) {
  if (extent.budget_seconds == 0) {
    time_calls(timed, extent.warmup);
    return extent.iterations;
  }
  double warmup_seconds = extent.budget_seconds / 4;
  if (extent.is_first && warmup_seconds < COMPILE_SECONDS) warmup_seconds = COMPILE_SECONDS;
  const double begin = MPI_Wtime();
  for (int done = 0, batch = 1;;) {
    const double start = MPI_Wtime();
    time_calls(timed, batch);
    done += batch;
    const double per_call = over_ranks((MPI_Wtime() - start) / batch, MPI_MAX);
    const double elapsed = over_ranks(MPI_Wtime() - begin, MPI_MAX);
    if (done < extent.warmup && elapsed < warmup_seconds) {
      batch = 2 * batch < extent.warmup - done ? 2 * batch : extent.warmup - done;
      continue;
    }
    const double fitting = extent.budget_seconds * 0.75 / per_call;
    const int count = fitting < extent.iterations ? (int)fitting : extent.iterations;
    return count < FEWEST ? FEWEST : count;
  }
}

#endif
