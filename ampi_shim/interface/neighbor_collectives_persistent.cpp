// SPDX-License-Identifier: Apache-2.0
// Persistent neighborhood collectives.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Neighbor_allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                                MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::neighbor_allgather({"MPI_Neighbor_allgather_init", comm, Form::persistent, request, info}, sendbuf,
                                        sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Neighbor_allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                  MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request* request) {
  return kaon::ampi::neighbor_allgather({"MPI_Neighbor_allgather_init_c", comm, Form::persistent, request, info},
                                        sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Neighbor_allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, MPI_Request* request) {
  return kaon::ampi::neighbor_allgatherv({"MPI_Neighbor_allgatherv_init", comm, Form::persistent, request, info},
                                         sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
}

int MPI_Neighbor_allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                   const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::neighbor_allgatherv({"MPI_Neighbor_allgatherv_init_c", comm, Form::persistent, request, info},
                                         sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
}

int MPI_Neighbor_alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                               MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoall({"MPI_Neighbor_alltoall_init", comm, Form::persistent, request, info}, sendbuf,
                                       sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Neighbor_alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                                 MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request* request) {
  return kaon::ampi::neighbor_alltoall({"MPI_Neighbor_alltoall_init_c", comm, Form::persistent, request, info}, sendbuf,
                                       sendcount, sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Neighbor_alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                                void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                                MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallv({"MPI_Neighbor_alltoallv_init", comm, Form::persistent, request, info}, sendbuf,
                                        sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Neighbor_alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                  MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallv({"MPI_Neighbor_alltoallv_init_c", comm, Form::persistent, request, info},
                                        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                const MPI_Datatype sendtypes[], void* recvbuf, const int recvcounts[],
                                const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallw({"MPI_Neighbor_alltoallw_init", comm, Form::persistent, request, info}, sendbuf,
                                        sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

int MPI_Neighbor_alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                  const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                                  const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                  MPI_Info info, MPI_Request* request) {
  return kaon::ampi::neighbor_alltoallw({"MPI_Neighbor_alltoallw_init_c", comm, Form::persistent, request, info},
                                        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
                                        recvtypes);
}

}  // extern "C"
