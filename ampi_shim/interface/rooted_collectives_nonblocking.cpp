// SPDX-License-Identifier: Apache-2.0
// Non-blocking barriers and collectives with a root.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::barrier({"MPI_Ibarrier", comm, Form::nonblocking, request});
}

int MPI_Ibcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::bcast({"MPI_Ibcast", comm, Form::nonblocking, request}, buffer, count, datatype, root);
}

int MPI_Ibcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::bcast({"MPI_Ibcast_c", comm, Form::nonblocking, request}, buffer, count, datatype, root);
}

int MPI_Igather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::gather({"MPI_Igather", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype, recvbuf,
                            recvcount, recvtype, root);
}

int MPI_Igather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::gather({"MPI_Igather_c", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype, recvbuf,
                            recvcount, recvtype, root);
}

int MPI_Igatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                 const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::gatherv({"MPI_Igatherv", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype, recvbuf,
                             recvcounts, displs, recvtype, root);
}

int MPI_Igatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                   MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::gatherv({"MPI_Igatherv_c", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                             recvbuf, recvcounts, displs, recvtype, root);
}

int MPI_Iscatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                 MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::scatter({"MPI_Iscatter", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype, recvbuf,
                             recvcount, recvtype, root);
}

int MPI_Iscatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::scatter({"MPI_Iscatter_c", comm, Form::nonblocking, request}, sendbuf, sendcount, sendtype,
                             recvbuf, recvcount, recvtype, root);
}

int MPI_Iscatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void* recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request) {
  return kaon::ampi::scatterv({"MPI_Iscatterv", comm, Form::nonblocking, request}, sendbuf, sendcounts, displs,
                              sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Iscatterv_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype,
                    void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                    MPI_Request* request) {
  return kaon::ampi::scatterv({"MPI_Iscatterv_c", comm, Form::nonblocking, request}, sendbuf, sendcounts, displs,
                              sendtype, recvbuf, recvcount, recvtype, root);
}

}  // extern "C"
