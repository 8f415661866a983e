// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/ampi_shim/interface/collective_call.hpp"

// Each collective once, for its functions in all forms: blocking, I..., ..._init, and with large counts. Arguments are
// those of the functions, in their order.
namespace kaon::ampi {

using Counts = Numbers<MPI_Count>;
using Displacements = Numbers<MPI_Aint>;

int barrier(const Call& call);
int bcast(const Call& call, void* buffer, MPI_Count count, MPI_Datatype datatype, int root);

int gather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
           MPI_Count recvcount, MPI_Datatype recvtype, int root);
int gatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            Counts recvcounts, Displacements displs, MPI_Datatype recvtype, int root);
int scatter(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
            MPI_Count recvcount, MPI_Datatype recvtype, int root);
int scatterv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements displs, MPI_Datatype sendtype,
             void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root);

int allgather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
              MPI_Count recvcount, MPI_Datatype recvtype);
int allgatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
               Counts recvcounts, Displacements displs, MPI_Datatype recvtype);

int alltoall(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
             MPI_Count recvcount, MPI_Datatype recvtype);
int alltoallv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls, MPI_Datatype sendtype,
              void* recvbuf, Counts recvcounts, Displacements rdispls, MPI_Datatype recvtype);
int alltoallw(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
              const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
              const MPI_Datatype* recvtypes);

int reduce(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
           int root);
int allreduce(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op);
int reduce_scatter(const Call& call, const void* sendbuf, void* recvbuf, Counts recvcounts, MPI_Datatype datatype,
                   MPI_Op op);
int reduce_scatter_block(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count recvcount,
                         MPI_Datatype datatype, MPI_Op op);
int scan(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op);
int exscan(const Call& call, const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op);

int neighbor_allgather(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype);
int neighbor_allgatherv(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        void* recvbuf, Counts recvcounts, Displacements displs, MPI_Datatype recvtype);
int neighbor_alltoall(const Call& call, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype);
int neighbor_alltoallv(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                       MPI_Datatype sendtype, void* recvbuf, Counts recvcounts, Displacements rdispls,
                       MPI_Datatype recvtype);
int neighbor_alltoallw(const Call& call, const void* sendbuf, Counts sendcounts, Displacements sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, Counts recvcounts, Displacements rdispls,
                       const MPI_Datatype* recvtypes);

}  // namespace kaon::ampi
