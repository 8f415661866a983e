/* SPDX-License-Identifier: Apache-2.0 */
/* MPI 5.0 for C and C++, by the standard's binary interface: types, values and functions are those of every MPI that
   has it, so that a program compiled with this header runs with another's library, and the other way round. */
#ifndef KAON_MPI_H
#define KAON_MPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <kaon_mpi/handles.h>

#include <kaon_mpi/callbacks.h>
#include <kaon_mpi/constants.h>
#include <kaon_mpi/error_classes.h>
#include <kaon_mpi/predefined_datatypes.h>
#include <kaon_mpi/tools_types.h>

#include <kaon_mpi/attributes.h>
#include <kaon_mpi/buffers.h>
#include <kaon_mpi/collectives.h>
#include <kaon_mpi/communicators.h>
#include <kaon_mpi/conversions.h>
#include <kaon_mpi/datatypes.h>
#include <kaon_mpi/environment.h>
#include <kaon_mpi/errors.h>
#include <kaon_mpi/files.h>
#include <kaon_mpi/fortran.h>
#include <kaon_mpi/groups.h>
#include <kaon_mpi/info.h>
#include <kaon_mpi/neighborhood_collectives.h>
#include <kaon_mpi/nonblocking_collectives.h>
#include <kaon_mpi/one_sided.h>
#include <kaon_mpi/operations.h>
#include <kaon_mpi/pack.h>
#include <kaon_mpi/persistent_collectives.h>
#include <kaon_mpi/point_to_point.h>
#include <kaon_mpi/processes.h>
#include <kaon_mpi/removed.h>
#include <kaon_mpi/requests.h>
#include <kaon_mpi/sessions.h>
#include <kaon_mpi/streams.h>
#include <kaon_mpi/tools.h>
#include <kaon_mpi/topologies.h>

/* Every function above once more, as PMPI_: what a profiling library calls. CMake makes it of the files above, in the
   build folder: sources of this tree link ampi_mpi_header. */
#include <kaon_mpi/profiling.h>

#ifdef __cplusplus
}
#endif

#endif
