/* The loop of the latency programs: twin of ../osu/ping-pong.ts. */
#ifndef COMMWORLD_NATIVE_PING_PONG_H
#define COMMWORLD_NATIVE_PING_PONG_H

#include "osu.h"

/* The side that is `first` sends, the other answers. */
static void ping_pong(char *send, char *recv, int bytes, int peer, int first, int iterations) {
  for (int i = 0; i < iterations; i++) {
    if (first) {
      MPI_Send(send, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
      MPI_Recv(recv, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(recv, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(send, bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
    }
  }
}

#endif
