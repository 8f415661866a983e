/* SPDX-License-Identifier: Apache-2.0 */
/* The last rank sends and computes, and makes no call that waits, until rank 0 has received so much that credits for
   its messages had to come back to it, or, on the same PE, that it had to have turns. Two ranks, or three of which the
   last has a process to itself; they share a page. */
#define _GNU_SOURCE
#include "check.h"
#include "shared_page.h"

enum { kEnough = 3000, kMost = 100000, kLast = -1 };
enum { kValues, kPartners, kPartnersLast }; /* tags */
/* Each of the calls that may send and return at once; in a broadcast the others receive in the same call. */
enum { kSend, kIsend, kStart, kBcast, kIbcast, kSendApart, kIsendrecv, kReplace, kSendrecv, kWays };
enum { kInts = 5000, kPrepared = 20000 }; /* more bytes than are sent at once; partners of MPI_Sendrecv */

static void broadcast(int* value, int how, int root) {
  MPI_Request request;
  if (how == kBcast) {
    MPI_Bcast(value, 1, MPI_INT, root, MPI_COMM_WORLD);
    return;
  }
  MPI_Ibcast(value, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* What is kept: a persistent send of the value, and a type of integers with gaps, of which a packed copy leaves. */
struct Kept {
  MPI_Request send;
  MPI_Datatype apart;
  int ints[2 * kInts];
};

static void send_one(int* value, int how, struct Kept* kept) {
  MPI_Request request;
  int partner;
  switch (how) {
    case kSend:
      MPI_Send(value, 1, MPI_INT, 0, kValues, MPI_COMM_WORLD);
      break;
    case kSendApart:
      kept->ints[0] = *value;
      MPI_Send(kept->ints, 1, kept->apart, 0, kValues, MPI_COMM_WORLD);
      break;
    case kIsend:
      MPI_Isend(value, 1, MPI_INT, 0, kValues, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    case kStart:
      MPI_Start(&kept->send);
      MPI_Wait(&kept->send, MPI_STATUS_IGNORE);
      break;
    case kSendrecv: /* with what has come long ago */
      MPI_Sendrecv(value, 1, MPI_INT, 0, kValues, &partner, 1, MPI_INT, 0, kPartners, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
      CHECK(partner == *value);
      break;
    case kIsendrecv:
      MPI_Isendrecv(value, 1, MPI_INT, 0, kValues, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    case kReplace:
      MPI_Isendrecv_replace(value, 1, MPI_INT, 0, kValues, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      break;
    default:
      broadcast(value, how, rank_of_world());
  }
}

static void send_until_enough(const volatile int* received, int how) {
  static struct Kept kept;
  const int most = how == kSendrecv ? kPrepared : kMost;
  int value = 0, partner;
  MPI_Send_init(&value, 1, MPI_INT, 0, kValues, MPI_COMM_WORLD, &kept.send);
  MPI_Type_vector(kInts, 1, 2, MPI_INT, &kept.apart);
  MPI_Type_commit(&kept.apart);
  if (how == kSendrecv) MPI_Recv(&partner, 1, MPI_INT, 0, kPartnersLast, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  while (*received < kEnough && value < most) {
    send_one(&value, how, &kept);
    ++value;
    compute();
  }
  CHECK(*received >= kEnough);
  for (int left = value; how == kSendrecv && left < kPrepared; ++left)
    MPI_Recv(&partner, 1, MPI_INT, 0, kPartners, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  value = kLast;
  send_one(&value, how == kSendrecv ? kSend : how, &kept);
  MPI_Request_free(&kept.send);
  MPI_Type_free(&kept.apart);
}

/* Fewer than those behind which others of its PE have a turn, and more than leave without credits that come back. It
   computes between them until most have come, or for some milliseconds where that process has no core. */
static void send_few(const volatile int* received) {
  enum { kFew = 100, kCredits = 64, kUnderWay = 8, kTurns = 500 };
  int value = 0;
  for (; value < kFew; ++value) {
    MPI_Send(&value, 1, MPI_INT, 0, kValues, MPI_COMM_WORLD);
    for (int turn = 0; turn < kTurns && *received < value - kUnderWay; ++turn) compute();
  }
  CHECK(*received > kCredits + kUnderWay);
  value = kLast;
  MPI_Send(&value, 1, MPI_INT, 0, kValues, MPI_COMM_WORLD);
}

static void send_partners(int to) {
  int value = 0;
  for (; value < kPrepared; ++value) MPI_Send(&value, 1, MPI_INT, to, kPartners, MPI_COMM_WORLD);
  MPI_Send(&value, 1, MPI_INT, to, kPartnersLast, MPI_COMM_WORLD);
}

static void receive_until_last(volatile int* received, int how) {
  static int values[kInts];
  const int from = size_of_world() - 1, is_broadcast = how == kBcast || how == kIbcast;
  if (rank_of_world() != 0 && !is_broadcast) return;
  if (how == kSendrecv) send_partners(from);
  values[0] = 0;
  for (; values[0] != kLast; *received += rank_of_world() == 0 ? 1 : 0) {
    if (is_broadcast)
      broadcast(values, how, from);
    else
      MPI_Recv(values, kInts, MPI_INT, from, kValues, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  for (int how = 0; how < kWays; ++how) {
    volatile int* const received = shared_page();
    if (rank_of_world() == size_of_world() - 1 && how == 0 && argc > 1)
      send_few(received);
    else if (rank_of_world() == size_of_world() - 1)
      send_until_enough(received, how);
    else
      receive_until_last(received, how);
  }
  if (rank_of_world() == 0) printf("all is well\n");
  MPI_Finalize();
  return 0;
}
