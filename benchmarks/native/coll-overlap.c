/* How much of a non-blocking collective a computation hides: twin of ../osu/coll-overlap.ts. */
#include "timed-calls.h"

enum { STEPS = 20000, TRIES = 50 };

struct call {
  const struct collective *collective;
  struct operands operands;
  int tests, steps;
  double compute_seconds, test_seconds;
};

/* Volatile: else the compiler would compute once, and outside of what is timed. */
static volatile double first = 1, last;

static void compute(int steps) {
  double x = first;
  for (int i = 0; i < steps; i++) x = x * 0.999999 + 1e-6;
  last = x;
}

/* Seconds a step, the best of many tries: others may have had the core in between. */
static double calibrate(void) {
  double seconds = 1e9;
  for (int i = 0; i < TRIES; i++) {
    const double start = MPI_Wtime();
    compute(STEPS);
    const double taken = MPI_Wtime() - start;
    if (taken < seconds) seconds = taken;
  }
  return seconds / STEPS;
}

static void run_pure(void *state) {
  const struct call *call = state;
  MPI_Request request;
  call->collective->start(&call->operands, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void compute_piece(struct call *call) {
  const double start = MPI_Wtime();
  compute(call->steps);
  call->compute_seconds += MPI_Wtime() - start;
}

/* The computation lies before the wait, cut into pieces by the tests. */
static void run_busy(void *state) {
  struct call *call = state;
  MPI_Request request;
  call->collective->start(&call->operands, &request);
  compute_piece(call);
  for (int i = 0; i < call->tests; i++) {
    int done;
    const double start = MPI_Wtime();
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    call->test_seconds += MPI_Wtime() - start;
    compute_piece(call);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void time_size(struct call *call, const struct settings *settings, size_t bytes,
                      double step_seconds) {
  const int ranks = call->operands.ranks;
  const struct timed pure = {run_pure, call, 1}, busy = {run_busy, call, 1};
  struct extent half = extent_of(settings, bytes);
  half.budget_seconds /= 2;
  const int iterations = warm_up(&pure, half);
  MPI_Barrier(MPI_COMM_WORLD);
  const double pure_seconds = sum_over_ranks(time_calls(&pure, iterations) / iterations) / ranks;

  call->tests = settings->tests;
  call->steps = (int)(pure_seconds / step_seconds / (call->tests + 1) + 0.5);
  call->compute_seconds = call->test_seconds = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  const double overall = sum_over_ranks(time_calls(&busy, iterations) / iterations) / ranks;
  const double computing = sum_over_ranks(call->compute_seconds / iterations) / ranks;
  const double testing = sum_over_ranks(call->test_seconds / iterations) / ranks;
  const double overlap = 1 - (overall - computing) / pure_seconds;
  if (call->operands.rank == 0)
    printf("%-10zu%20.3f%20.3f%20.3f%20.3f%20.3f\n", bytes, overall * 1e6, computing * 1e6,
           testing * 1e6, pure_seconds * 1e6, overlap > 0 ? overlap * 100 : 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct collective *collective = find_collective(argv[1]);
  struct settings settings = read_settings(argc - 1, argv + 1);
  if (collective->send_blocks == NONE) settings.min_bytes = settings.max_bytes = 0;
  struct call call = {.collective = collective,
                      .operands = allocate_operands(collective, settings.max_bytes)};
  const double step_seconds = calibrate();
  if (call.operands.rank == 0)
    printf("# %s, non-blocking\n%-10s%20s%20s%20s%20s%20s\n", collective->title, "# Size",
           "Overall(us)", "Compute(us)", "Test(us)", "Pure Comm.(us)", "Overlap(%)");

  for (size_t bytes = first_size(&settings); bytes <= settings.max_bytes; bytes = next_size(bytes)) {
    if (!is_whole(collective, &call.operands, bytes)) continue;
    prepare_operands(collective, &call.operands, bytes);
    time_size(&call, &settings, bytes, step_seconds);
    check_operands(collective, &call.operands);
  }
  MPI_Finalize();
  return 0;
}
