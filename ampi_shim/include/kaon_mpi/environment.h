/* SPDX-License-Identifier: Apache-2.0 */
/* Part of mpi.h, which includes it. Starting and ending MPI, clocks, memory, versions. */

int MPI_Abi_get_fortran_booleans(int logical_size, void* logical_true, void* logical_false, int* is_set);
int MPI_Abi_get_fortran_info(MPI_Info* info);
int MPI_Abi_get_info(MPI_Info* info);
int MPI_Abi_get_version(int* abi_major, int* abi_minor);
int MPI_Abi_set_fortran_booleans(int logical_size, void* logical_true, void* logical_false);
int MPI_Abi_set_fortran_info(MPI_Info info);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void* baseptr);
int MPI_Finalize(void);
int MPI_Finalized(int* flag);
int MPI_Free_mem(void* base);
int MPI_Get_address(const void* location, MPI_Aint* address);
int MPI_Get_hw_resource_info(MPI_Info* hw_info);
int MPI_Get_library_version(char* version, int* resultlen);
int MPI_Get_processor_name(char* name, int* resultlen);
int MPI_Get_version(int* version, int* subversion);
int MPI_Init(int* argc, char*** argv);
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided);
int MPI_Initialized(int* flag);
int MPI_Is_thread_main(int* flag);
int MPI_Pcontrol(const int level, ...);
int MPI_Query_thread(int* provided);
MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint disp);
MPI_Aint MPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2);
double MPI_Wtick(void);
double MPI_Wtime(void);
