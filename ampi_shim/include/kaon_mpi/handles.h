/* SPDX-License-Identifier: Apache-2.0 */
/* Part of mpi.h, which includes it. Types, the null handles, and predefined objects other than datatypes. */

/* Bytes and addresses in memory, elements, and bytes of files. */
typedef intptr_t MPI_Aint;
typedef int64_t MPI_Count;
typedef int64_t MPI_Offset;

/* Where a message came from; the words behind hold its length and whether it was cancelled. */
typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int MPI_internal[5];
} MPI_Status;

/* An INTEGER of Fortran, and its status of type(MPI_Status). */
typedef int MPI_Fint;
typedef MPI_Status MPI_F08_status;

/* Handles: addresses of objects, or the small numbers of those that exist without a call. */
typedef struct MPI_ABI_Comm* MPI_Comm;
typedef struct MPI_ABI_Group* MPI_Group;
typedef struct MPI_ABI_Datatype* MPI_Datatype;
typedef struct MPI_ABI_Op* MPI_Op;
typedef struct MPI_ABI_Request* MPI_Request;
typedef struct MPI_ABI_Message* MPI_Message;
typedef struct MPI_ABI_Info* MPI_Info;
typedef struct MPI_ABI_Errhandler* MPI_Errhandler;
typedef struct MPI_ABI_Session* MPI_Session;
typedef struct MPI_ABI_Win* MPI_Win;
typedef struct MPI_ABI_File* MPI_File;

/* A stream that MPI calls enqueue work on: of MPICH, and no part of the standard. */
typedef struct MPIX_Kaon_Stream* MPIX_Stream;
#define MPIX_STREAM_NULL ((MPIX_Stream)0)

/* A partitioned request as kernels have it, passed to them by value: see kaon_mpi/device.h. Behind the words of the
   partitions are one that counts the starts, and one that says that a kernel has named no partition. */
typedef struct KAON_Prequest {
  uint32_t* words;
  int partitions;
} KAON_Prequest;

/* Communicators and groups. */
#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)
#define MPI_GROUP_NULL ((MPI_Group)0x108)
#define MPI_GROUP_EMPTY ((MPI_Group)0x109)

/* Requests and matched messages. */
#define MPI_REQUEST_NULL ((MPI_Request)0x180)
#define MPI_MESSAGE_NULL ((MPI_Message)0x128)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)0x129)

/* Operations of reductions. */
#define MPI_OP_NULL ((MPI_Op)0x020)
#define MPI_SUM ((MPI_Op)0x021)
#define MPI_MIN ((MPI_Op)0x022)
#define MPI_MAX ((MPI_Op)0x023)
#define MPI_PROD ((MPI_Op)0x024)
#define MPI_BAND ((MPI_Op)0x028)
#define MPI_BOR ((MPI_Op)0x029)
#define MPI_BXOR ((MPI_Op)0x02a)
#define MPI_LAND ((MPI_Op)0x030)
#define MPI_LOR ((MPI_Op)0x031)
#define MPI_LXOR ((MPI_Op)0x032)
#define MPI_MINLOC ((MPI_Op)0x038)
#define MPI_MAXLOC ((MPI_Op)0x039)
#define MPI_REPLACE ((MPI_Op)0x03c)
#define MPI_NO_OP ((MPI_Op)0x03d)

/* Error handlers. */
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x140)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0x141)
#define MPI_ERRORS_ABORT ((MPI_Errhandler)0x142)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x143)

/* Info objects and sessions. */
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_INFO_ENV ((MPI_Info)0x131)
#define MPI_SESSION_NULL ((MPI_Session)0x120)

/* Windows and files. */
#define MPI_WIN_NULL ((MPI_Win)0x110)
#define MPI_FILE_NULL ((MPI_File)0x118)
