/* SPDX-License-Identifier: Apache-2.0 */
/* Each collective in four forms: the blocking function, the non-blocking one with a wait, the persistent one that is
   started twice, or the one with large counts. */
#ifndef KAON_TESTS_COLLECTIVE_FORMS_H
#define KAON_TESTS_COLLECTIVE_FORMS_H

enum form { BLOCKING, NONBLOCKING, PERSISTENT, LARGE, FORMS };

static void wait_for_request(MPI_Request* request) {
  MPI_Status status;
  CHECK(MPI_Wait(request, &status) == MPI_SUCCESS);
}

static void run_twice(MPI_Request* request) {
  for (int i = 0; i < 2; ++i) {
    CHECK(MPI_Start(request) == MPI_SUCCESS);
    wait_for_request(request);
    CHECK(*request != MPI_REQUEST_NULL);
  }
  CHECK(MPI_Request_free(request) == MPI_SUCCESS);
}

/* `f` is MPI_x, `i` MPI_Ix. Of functions with lists of counts, which have another type in the large form. */
#define COLLECTIVE_OF_LISTS(form, f, i, ...)                                 \
  do {                                                                       \
    MPI_Request request_ = MPI_REQUEST_NULL;                                 \
    if (form == NONBLOCKING) {                                               \
      CHECK(i(__VA_ARGS__, &request_) == MPI_SUCCESS);                       \
      wait_for_request(&request_);                                           \
      CHECK(request_ == MPI_REQUEST_NULL);                                   \
    } else if (form == PERSISTENT) {                                         \
      CHECK(f##_init(__VA_ARGS__, MPI_INFO_NULL, &request_) == MPI_SUCCESS); \
      run_twice(&request_);                                                  \
    } else {                                                                 \
      CHECK(f(__VA_ARGS__) == MPI_SUCCESS);                                  \
    }                                                                        \
  } while (0)

#define COLLECTIVE(form, f, i, ...)                 \
  do {                                              \
    if (form == LARGE)                              \
      CHECK(f##_c(__VA_ARGS__) == MPI_SUCCESS);     \
    else                                            \
      COLLECTIVE_OF_LISTS(form, f, i, __VA_ARGS__); \
  } while (0)
#endif
