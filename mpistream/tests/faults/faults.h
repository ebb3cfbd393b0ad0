/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Faults of MPI. The program defines the functions of MPI that the library calls (MPI's profiling
 * interface): each calls MPI's own, or fails if a plan says so. Only calls from within calls of the
 * library count, and fail. */
#ifndef MPISTREAM_FAULTS_H
#define MPISTREAM_FAULTS_H

#include <mpi.h>

/* The functions that can fail, except two: name, parameters, arguments. Parameters are letters, in
 * the order of the standard. */
/* clang-format off */
#define FAULT_MOST(X)                                                                                   \
  X(Add_error_class, (int* c), (c))                                                                     \
  X(Add_error_string, (int c, const char* s), (c, s))                                                   \
  X(Allgather, (const void* in, int n, MPI_Datatype t, void* out, int m, MPI_Datatype u, MPI_Comm c),   \
    (in, n, t, out, m, u, c))                                                                           \
  X(Allreduce, (const void* in, void* out, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),                \
    (in, out, n, t, o, c))                                                                              \
  X(Cancel, (MPI_Request* r), (r))                                                                      \
  X(Comm_call_errhandler, (MPI_Comm c, int e), (c, e))                                                  \
  X(Comm_create_keyval,                                                                                 \
    (MPI_Comm_copy_attr_function* f, MPI_Comm_delete_attr_function* g, int* k, void* s), (f, g, k, s))  \
  X(Comm_free, (MPI_Comm* c), (c))                                                                      \
  X(Comm_get_attr, (MPI_Comm c, int k, void* v, int* f), (c, k, v, f))                                  \
  X(Comm_get_errhandler, (MPI_Comm c, MPI_Errhandler* h), (c, h))                                       \
  X(Comm_rank, (MPI_Comm c, int* r), (c, r))                                                            \
  X(Comm_set_attr, (MPI_Comm c, int k, void* v), (c, k, v))                                             \
  X(Comm_set_errhandler, (MPI_Comm c, MPI_Errhandler h), (c, h))                                        \
  X(Comm_size, (MPI_Comm c, int* n), (c, n))                                                            \
  X(Comm_split, (MPI_Comm c, int p, int k, MPI_Comm* d), (c, p, k, d))                                  \
  X(Comm_split_type, (MPI_Comm c, int t, int k, MPI_Info i, MPI_Comm* d), (c, t, k, i, d))              \
  X(Comm_test_inter, (MPI_Comm c, int* f), (c, f))                                                      \
  X(Errhandler_free, (MPI_Errhandler* h), (h))                                                          \
  X(Error_class, (int e, int* c), (e, c))                                                               \
  X(Error_string, (int e, char* s, int* n), (e, s, n))                                                  \
  X(Finalized, (int* f), (f))                                                                           \
  X(Get_count, (const MPI_Status* s, MPI_Datatype t, int* n), (s, t, n))                                \
  X(Iallreduce, (const void* in, void* out, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c,                \
    MPI_Request* r), (in, out, n, t, o, c, r))                                                          \
  X(Ibarrier, (MPI_Comm c, MPI_Request* r), (c, r))                                                     \
  X(Improbe, (int p, int t, MPI_Comm c, int* f, MPI_Message* m, MPI_Status* s), (p, t, c, f, m, s))     \
  X(Initialized, (int* f), (f))                                                                         \
  X(Irecv, (void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r),                  \
    (b, n, t, p, g, c, r))                                                                              \
  X(Isend, (const void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r),            \
    (b, n, t, p, g, c, r))                                                                              \
  X(Issend, (const void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r),           \
    (b, n, t, p, g, c, r))                                                                              \
  X(Mrecv, (void* b, int n, MPI_Datatype t, MPI_Message* m, MPI_Status* s), (b, n, t, m, s))            \
  X(Op_create, (MPI_User_function* f, int c, MPI_Op* o), (f, c, o))                                     \
  X(Op_free, (MPI_Op* o), (o))                                                                          \
  X(Pack, (const void* in, int n, MPI_Datatype t, void* out, int m, int* p, MPI_Comm c),                \
    (in, n, t, out, m, p, c))                                                                           \
  X(Pack_size, (int n, MPI_Datatype t, MPI_Comm c, int* s), (n, t, c, s))                               \
  X(Recv_init, (void* b, int n, MPI_Datatype t, int p, int g, MPI_Comm c, MPI_Request* r),              \
    (b, n, t, p, g, c, r))                                                                              \
  X(Reduce_local, (const void* in, void* out, int n, MPI_Datatype t, MPI_Op o), (in, out, n, t, o))     \
  X(Request_free, (MPI_Request* r), (r))                                                                \
  X(Start, (MPI_Request* r), (r))                                                                       \
  X(Type_commit, (MPI_Datatype* t), (t))                                                                \
  X(Type_dup, (MPI_Datatype t, MPI_Datatype* u), (t, u))                                                \
  X(Type_free, (MPI_Datatype* t), (t))                                                                  \
  X(Type_get_contents, (MPI_Datatype t, int n, int m, int k, int* i, MPI_Aint* a, MPI_Datatype* d),     \
    (t, n, m, k, i, a, d))                                                                              \
  X(Type_get_envelope, (MPI_Datatype t, int* n, int* m, int* k, int* c), (t, n, m, k, c))               \
  X(Type_get_extent, (MPI_Datatype t, MPI_Aint* b, MPI_Aint* e), (t, b, e))                             \
  X(Type_get_name, (MPI_Datatype t, char* s, int* n), (t, s, n))                                        \
  X(Type_get_true_extent, (MPI_Datatype t, MPI_Aint* b, MPI_Aint* e), (t, b, e))                        \
  X(Type_size, (MPI_Datatype t, int* n), (t, n))                                                        \
  X(Unpack, (const void* in, int n, int* p, void* out, int m, MPI_Datatype t, MPI_Comm c),              \
    (in, n, p, out, m, t, c))                                                                           \
  X(Wait, (MPI_Request* r, MPI_Status* s), (r, s))
/* clang-format on */
#define FAULT_FUNCTIONS(X) FAULT_MOST(X) X(Test, , ) X(Testsome, , )

#define FAULT_NUMBER(name, parameters, arguments) fault_##name,
typedef enum { fault_none, FAULT_FUNCTIONS(FAULT_NUMBER) fault_functions } fault_function;

typedef enum {
  fault_refused, /* the function does nothing */
  fault_lost     /* it completes a request that had come to its end, as MPI does with a message that
                    it has lost; only MPI_Test and MPI_Testsome */
} fault_kind;

typedef struct {
  fault_function function;
  long first, times; /* the calls that fail, from 1 on */
  fault_kind kind;
  fault_function next; /* its first call after the first fault fails, too */
  double takes;        /* seconds on MPI's clock, which passes them over */
} fault_plan;

extern int fault_code;                    /* the error of a function that fails */
extern int fault_inside;                  /* a call of the library is under way */
extern long fault_calls[fault_functions]; /* since the plan was made */
extern long fault_fired;                  /* faults since then */
extern long fault_fired_ever[fault_functions];

void fault_set_up(void);
void fault_arm(fault_plan plan);
const char* fault_name(fault_function function);

#endif
