/* The loops of the bandwidth programs, windows of 64 messages into 64 slots: twin of ../osu/windows.ts. */
#ifndef COMMWORLD_NATIVE_WINDOWS_H
#define COMMWORLD_NATIVE_WINDOWS_H

#include "osu.h"

enum { WINDOW = 64, CACHE_LINE_BYTES = 64, DATA_TAG = 100, REPLY_TAG = 101, REPLY_BYTES = 4 };

/* Slots start on cache lines of their own. */
static inline size_t slot_stride(size_t bytes) {
  return bytes < CACHE_LINE_BYTES ? CACHE_LINE_BYTES : bytes;
}

static inline void post_sends(char *send, int bytes, int peer, MPI_Request *requests) {
  for (int i = 0; i < WINDOW; i++)
    MPI_Isend(send, bytes, MPI_CHAR, peer, DATA_TAG, MPI_COMM_WORLD, &requests[i]);
}

static inline void post_receives(char *slots, int bytes, int peer, MPI_Request *requests) {
  const size_t stride = slot_stride((size_t)bytes);
  for (int i = 0; i < WINDOW; i++)
    MPI_Irecv(slots + (size_t)i * stride, bytes, MPI_CHAR, peer, DATA_TAG, MPI_COMM_WORLD, &requests[i]);
}

static inline void send_windows(char *send, int bytes, int peer, int windows) {
  MPI_Request requests[WINDOW];
  char reply[REPLY_BYTES];
  for (int w = 0; w < windows; w++) {
    post_sends(send, bytes, peer, requests);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    MPI_Recv(reply, REPLY_BYTES, MPI_CHAR, peer, REPLY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static inline void receive_windows(char *slots, int bytes, int peer, int windows) {
  MPI_Request requests[WINDOW];
  const char reply[REPLY_BYTES] = {0};
  for (int w = 0; w < windows; w++) {
    post_receives(slots, bytes, peer, requests);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    MPI_Send(reply, REPLY_BYTES, MPI_CHAR, peer, REPLY_TAG, MPI_COMM_WORLD);
  }
}

static inline void exchange_windows(char *send, char *slots, int bytes, int peer, int windows) {
  MPI_Request receives[WINDOW], sends[WINDOW];
  for (int w = 0; w < windows; w++) {
    post_receives(slots, bytes, peer, receives);
    post_sends(send, bytes, peer, sends);
    MPI_Waitall(WINDOW, sends, MPI_STATUSES_IGNORE);
    MPI_Waitall(WINDOW, receives, MPI_STATUSES_IGNORE);
  }
}

#endif
