// SPDX-License-Identifier: Apache-2.0
// Persistent barriers and collectives with a root.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::barrier({"MPI_Barrier_init", comm, Form::persistent, request, info});
}

int MPI_Bcast_init(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
  return kaon::ampi::bcast({"MPI_Bcast_init", comm, Form::persistent, request, info}, buffer, count, datatype, root);
}

int MPI_Bcast_init_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request) {
  return kaon::ampi::bcast({"MPI_Bcast_init_c", comm, Form::persistent, request, info}, buffer, count, datatype, root);
}

int MPI_Gather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::gather({"MPI_Gather_init", comm, Form::persistent, request, info}, sendbuf, sendcount, sendtype,
                            recvbuf, recvcount, recvtype, root);
}

int MPI_Gather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request) {
  return kaon::ampi::gather({"MPI_Gather_init_c", comm, Form::persistent, request, info}, sendbuf, sendcount, sendtype,
                            recvbuf, recvcount, recvtype, root);
}

int MPI_Gatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                     const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request) {
  return kaon::ampi::gatherv({"MPI_Gatherv_init", comm, Form::persistent, request, info}, sendbuf, sendcount, sendtype,
                             recvbuf, recvcounts, displs, recvtype, root);
}

int MPI_Gatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::gatherv({"MPI_Gatherv_init_c", comm, Form::persistent, request, info}, sendbuf, sendcount,
                             sendtype, recvbuf, recvcounts, displs, recvtype, root);
}

int MPI_Scatter_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::scatter({"MPI_Scatter_init", comm, Form::persistent, request, info}, sendbuf, sendcount, sendtype,
                             recvbuf, recvcount, recvtype, root);
}

int MPI_Scatter_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                       MPI_Request* request) {
  return kaon::ampi::scatter({"MPI_Scatter_init_c", comm, Form::persistent, request, info}, sendbuf, sendcount,
                             sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Scatterv_init(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                      void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request* request) {
  return kaon::ampi::scatterv({"MPI_Scatterv_init", comm, Form::persistent, request, info}, sendbuf, sendcounts, displs,
                              sendtype, recvbuf, recvcount, recvtype, root);
}

int MPI_Scatterv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
                        MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::scatterv({"MPI_Scatterv_init_c", comm, Form::persistent, request, info}, sendbuf, sendcounts,
                              displs, sendtype, recvbuf, recvcount, recvtype, root);
}

}  // extern "C"
