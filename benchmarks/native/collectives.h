/*
 * The collectives that coll.c and coll-overlap.c time: twin of ../osu/collectives.ts and
 * ../osu/operands.ts. Reductions add doubles, the rest moves bytes; the root is rank 0.
 */
#ifndef COMMWORLD_NATIVE_COLLECTIVES_H
#define COMMWORLD_NATIVE_COLLECTIVES_H

#include "osu.h"

struct operands {
  int rank, ranks;
  char *send, *recv;
  double *send_doubles, *recv_doubles; /* the same memory */
  int count;                           /* elements of the message */
  int share;                           /* elements that this rank gets */
  int *counts;                         /* shares by rank */
};

enum blocks { NONE, ONE, EACH, ONE_AT_ROOT, EACH_AT_ROOT, ONE_ELSEWHERE };
enum sharing { WHOLE, EQUAL, NEARLY_EQUAL };

struct collective {
  const char *name, *title;
  size_t element_bytes;
  enum blocks send_blocks, recv_blocks;
  enum sharing sharing;
  void (*call)(const struct operands *);
  void (*start)(const struct operands *, MPI_Request *);
  double (*arrived)(const struct operands *, int block); /* negative: nothing is promised */
};

#define WORLD MPI_COMM_WORLD

static void barrier(const struct operands *o) { (void)o; MPI_Barrier(WORLD); }
static void ibarrier(const struct operands *o, MPI_Request *r) { (void)o; MPI_Ibarrier(WORLD, r); }

static char *bcast_memory(const struct operands *o) { return o->rank == 0 ? o->send : o->recv; }
static void bcast(const struct operands *o) { MPI_Bcast(bcast_memory(o), o->count, MPI_CHAR, 0, WORLD); }
static void ibcast(const struct operands *o, MPI_Request *r) {
  MPI_Ibcast(bcast_memory(o), o->count, MPI_CHAR, 0, WORLD, r);
}

static void gather(const struct operands *o) {
  MPI_Gather(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, 0, WORLD);
}
static void igather(const struct operands *o, MPI_Request *r) {
  MPI_Igather(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, 0, WORLD, r);
}

static void scatter(const struct operands *o) {
  MPI_Scatter(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, 0, WORLD);
}
static void iscatter(const struct operands *o, MPI_Request *r) {
  MPI_Iscatter(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, 0, WORLD, r);
}

static void allgather(const struct operands *o) {
  MPI_Allgather(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, WORLD);
}
static void iallgather(const struct operands *o, MPI_Request *r) {
  MPI_Iallgather(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, WORLD, r);
}

static void alltoall(const struct operands *o) {
  MPI_Alltoall(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, WORLD);
}
static void ialltoall(const struct operands *o, MPI_Request *r) {
  MPI_Ialltoall(o->send, o->count, MPI_CHAR, o->recv, o->count, MPI_CHAR, WORLD, r);
}

static void reduce(const struct operands *o) {
  MPI_Reduce(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, 0, WORLD);
}
static void ireduce(const struct operands *o, MPI_Request *r) {
  MPI_Ireduce(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, 0, WORLD, r);
}

static void allreduce(const struct operands *o) {
  MPI_Allreduce(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void iallreduce(const struct operands *o, MPI_Request *r) {
  MPI_Iallreduce(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, WORLD, r);
}

static void reduce_scatter_block(const struct operands *o) {
  MPI_Reduce_scatter_block(o->send, o->recv, o->share, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void ireduce_scatter_block(const struct operands *o, MPI_Request *r) {
  MPI_Ireduce_scatter_block(o->send, o->recv, o->share, MPI_DOUBLE, MPI_SUM, WORLD, r);
}

static void reduce_scatter(const struct operands *o) {
  MPI_Reduce_scatter(o->send, o->recv, o->counts, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void ireduce_scatter(const struct operands *o, MPI_Request *r) {
  MPI_Ireduce_scatter(o->send, o->recv, o->counts, MPI_DOUBLE, MPI_SUM, WORLD, r);
}

static void scan(const struct operands *o) {
  MPI_Scan(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void iscan(const struct operands *o, MPI_Request *r) {
  MPI_Iscan(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, WORLD, r);
}

static void exscan(const struct operands *o) {
  MPI_Exscan(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, WORLD);
}
static void iexscan(const struct operands *o, MPI_Request *r) {
  MPI_Iexscan(o->send, o->recv, o->count, MPI_DOUBLE, MPI_SUM, WORLD, r);
}

/* What must have arrived, where every rank sends its rank + 1 and the scattered block b is b + 1. */
static double from_root(const struct operands *o, int block) { (void)o; (void)block; return 1; }
static double own(const struct operands *o, int block) { (void)block; return o->rank + 1; }
static double owner(const struct operands *o, int block) { (void)o; return block + 1; }
static double sum_of(int ranks) { return ranks * (ranks + 1) / 2.0; }
static double sum_of_all(const struct operands *o, int block) { (void)block; return sum_of(o->ranks); }
static double sum_up_to(const struct operands *o, int block) { (void)block; return sum_of(o->rank + 1); }
static double sum_below(const struct operands *o, int block) {
  (void)block;
  return o->rank == 0 ? -1 : sum_of(o->rank);
}

static const struct collective COLLECTIVES[] = {
    {"barrier", "Barrier", 1, NONE, NONE, WHOLE, barrier, ibarrier, owner},
    {"bcast", "Broadcast", 1, ONE_AT_ROOT, ONE_ELSEWHERE, WHOLE, bcast, ibcast, from_root},
    {"gather", "Gather", 1, ONE, EACH_AT_ROOT, WHOLE, gather, igather, owner},
    {"scatter", "Scatter", 1, EACH_AT_ROOT, ONE, WHOLE, scatter, iscatter, own},
    {"allgather", "Allgather", 1, ONE, EACH, WHOLE, allgather, iallgather, owner},
    {"alltoall", "Alltoall", 1, EACH, EACH, WHOLE, alltoall, ialltoall, owner},
    {"reduce", "Reduce", 8, ONE, ONE_AT_ROOT, WHOLE, reduce, ireduce, sum_of_all},
    {"allreduce", "Allreduce", 8, ONE, ONE, WHOLE, allreduce, iallreduce, sum_of_all},
    {"reduceScatterBlock", "Reduce-scatter, equal blocks", 8, ONE, ONE, EQUAL, reduce_scatter_block,
     ireduce_scatter_block, sum_of_all},
    {"reduceScatter", "Reduce-scatter", 8, ONE, ONE, NEARLY_EQUAL, reduce_scatter, ireduce_scatter,
     sum_of_all},
    {"scan", "Scan", 8, ONE, ONE, WHOLE, scan, iscan, sum_up_to},
    {"exscan", "Exscan", 8, ONE, ONE, WHOLE, exscan, iexscan, sum_below},
};

static inline const struct collective *find_collective(const char *name) {
  for (size_t i = 0; i < sizeof COLLECTIVES / sizeof *COLLECTIVES; i++)
    if (name && strcmp(COLLECTIVES[i].name, name) == 0) return &COLLECTIVES[i];
  fprintf(stderr, "the first argument is a collective, not %s\n", name ? name : "nothing");
  MPI_Abort(WORLD, 1);
  return NULL;
}

static inline int blocks_here(enum blocks blocks, const struct operands *o) {
  const int root = o->rank == 0;
  switch (blocks) {
    case ONE: return 1;
    case EACH: return o->ranks;
    case ONE_AT_ROOT: return root;
    case EACH_AT_ROOT: return root ? o->ranks : 0;
    case ONE_ELSEWHERE: return !root;
    default: return 0;
  }
}

/* Memory for the largest message. */
static inline struct operands allocate_operands(const struct collective *c, size_t max_bytes) {
  struct operands o = {0};
  MPI_Comm_rank(WORLD, &o.rank);
  MPI_Comm_size(WORLD, &o.ranks);
  o.send = touched_memory(max_bytes * (size_t)blocks_here(c->send_blocks, &o));
  o.recv = touched_memory(max_bytes * (size_t)blocks_here(c->recv_blocks, &o));
  o.send_doubles = (double *)o.send;
  o.recv_doubles = (double *)o.recv;
  o.counts = (int *)touched_memory((size_t)o.ranks * sizeof(int));
  return o;
}

/* Whole elements, one for each rank where all get as many, or nothing. */
static inline int is_whole(const struct collective *c, const struct operands *o, size_t bytes) {
  const size_t ranks = c->sharing == EQUAL ? (size_t)o->ranks : 1;
  return bytes == 0 || bytes >= c->element_bytes * ranks;
}

/* Sets counts for messages of `bytes`, and what the operation is to move or add. */
static inline void prepare_operands(const struct collective *c, struct operands *o, size_t bytes) {
  const int elements = (int)(bytes / c->element_bytes);
  const int rest = c->sharing == NEARLY_EQUAL ? elements % o->ranks : 0;
  for (int rank = 0; rank < o->ranks; rank++)
    o->counts[rank] = elements / o->ranks + (rank < rest);
  o->count = elements;
  o->share = c->sharing == WHOLE ? elements : o->counts[o->rank];
  for (int block = 0; block < blocks_here(c->send_blocks, o); block++) {
    const int value = (c->send_blocks == EACH_AT_ROOT ? block : o->rank) + 1;
    for (int i = block * elements; i < (block + 1) * elements; i++) {
      if (c->element_bytes == 1) o->send[i] = (char)value;
      else o->send_doubles[i] = value;
    }
  }
  memset(o->recv, 0, (size_t)(o->share * blocks_here(c->recv_blocks, o)) * c->element_bytes);
}

/* Aborts when the last call has not left what it must. */
static inline void check_operands(const struct collective *c, const struct operands *o) {
  for (int block = 0; block < blocks_here(c->recv_blocks, o) && o->share > 0; block++) {
    const double wanted = c->arrived(o, block);
    const int ends[] = {block * o->share, (block + 1) * o->share - 1};
    if (wanted < 0) continue;
    for (int i = 0; i < 2; i++) {
      const int same = c->element_bytes == 1 ? o->recv[ends[i]] == (char)wanted
                                             : o->recv_doubles[ends[i]] == wanted;
      if (same) continue;
      fprintf(stderr, "%s: element %d on rank %d is wrong\n", c->name, ends[i], o->rank);
      MPI_Abort(WORLD, 1);
    }
  }
}

#endif
