// SPDX-License-Identifier: Apache-2.0
// Persistent allgathers and all-to-alls.
#include "kaon/ampi_shim/interface/collective_functions.hpp"

using kaon::ampi::Form;

extern "C" {

int MPI_Allgather_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::allgather({"MPI_Allgather_init", comm, Form::persistent, request, info}, sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Allgather_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                         MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                         MPI_Request* request) {
  return kaon::ampi::allgather({"MPI_Allgather_init_c", comm, Form::persistent, request, info}, sendbuf, sendcount,
                               sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Allgatherv_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request* request) {
  return kaon::ampi::allgatherv({"MPI_Allgatherv_init", comm, Form::persistent, request, info}, sendbuf, sendcount,
                                sendtype, recvbuf, recvcounts, displs, recvtype);
}

int MPI_Allgatherv_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                          const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
                          MPI_Info info, MPI_Request* request) {
  return kaon::ampi::allgatherv({"MPI_Allgatherv_init_c", comm, Form::persistent, request, info}, sendbuf, sendcount,
                                sendtype, recvbuf, recvcounts, displs, recvtype);
}

int MPI_Alltoall_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::alltoall({"MPI_Alltoall_init", comm, Form::persistent, request, info}, sendbuf, sendcount,
                              sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Alltoall_init_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request* request) {
  return kaon::ampi::alltoall({"MPI_Alltoall_init_c", comm, Form::persistent, request, info}, sendbuf, sendcount,
                              sendtype, recvbuf, recvcount, recvtype);
}

int MPI_Alltoallv_init(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                       void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request) {
  return kaon::ampi::alltoallv({"MPI_Alltoallv_init", comm, Form::persistent, request, info}, sendbuf, sendcounts,
                               sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Alltoallv_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                         MPI_Datatype sendtype, void* recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[],
                         MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::alltoallv({"MPI_Alltoallv_init_c", comm, Form::persistent, request, info}, sendbuf, sendcounts,
                               sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

int MPI_Alltoallw_init(const void* sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[],
                       void* recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[],
                       MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return kaon::ampi::alltoallw({"MPI_Alltoallw_init", comm, Form::persistent, request, info}, sendbuf, sendcounts,
                               sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

int MPI_Alltoallw_init_c(const void* sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                         const MPI_Datatype sendtypes[], void* recvbuf, const MPI_Count recvcounts[],
                         const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                         MPI_Request* request) {
  return kaon::ampi::alltoallw({"MPI_Alltoallw_init_c", comm, Form::persistent, request, info}, sendbuf, sendcounts,
                               sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

}  // extern "C"
