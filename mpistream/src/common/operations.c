/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/operations.h"

#include "common/memory.h"

#include <stdlib.h>

#define NOT_TO_BE_CALLED(name)                                         \
  void name(void* in, void* inout, int* len, MPI_Datatype* datatype) { \
    (void)in, (void)inout, (void)len, (void)datatype;                  \
  }
NOT_TO_BE_CALLED(MPIStream_SUM)
NOT_TO_BE_CALLED(MPIStream_PROD)
NOT_TO_BE_CALLED(MPIStream_MIN)
NOT_TO_BE_CALLED(MPIStream_MAX)
NOT_TO_BE_CALLED(MPIStream_LAND)
NOT_TO_BE_CALLED(MPIStream_LOR)
NOT_TO_BE_CALLED(MPIStream_BAND)
NOT_TO_BE_CALLED(MPIStream_BOR)

MPI_Op mpistream_predefined_op(MPIStream_Function* function) {
  const struct {
    MPIStream_Function* function;
    MPI_Op op;
  } all[] = {{MPIStream_SUM, MPI_SUM},   {MPIStream_PROD, MPI_PROD}, {MPIStream_MIN, MPI_MIN},
             {MPIStream_MAX, MPI_MAX},   {MPIStream_LAND, MPI_LAND}, {MPIStream_LOR, MPI_LOR},
             {MPIStream_BAND, MPI_BAND}, {MPIStream_BOR, MPI_BOR}};
  for (size_t i = 0; i != sizeof all / sizeof *all; ++i) {
    if (all[i].function == function) return all[i].op;
  }
  return MPI_OP_NULL;
}

typedef struct terminal {
  struct terminal* next;
  MPIStream_Function* function;
  MPI_Op op;
} terminal;
static terminal* terminals;

/* Called by MPI_Finalize. An error would make that fail, or abort the program, when all its work is
 * done. */
static int free_terminals(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)value, (void)state;
  while (terminals != NULL) {
    terminal* const each = terminals;
    terminals = each->next;
    MPI_Op_free(&each->op);
    free(each);
  }
  return MPI_SUCCESS;
}

MPI_Op MPIStream_Terminal(MPIStream_Function* function) {
  static int key = MPI_KEYVAL_INVALID, is_set;
  mpistream_set_up_errors();
  if (function == NULL) return MPI_OP_NULL;
  for (terminal* each = terminals; each != NULL; each = each->next) {
    if (each->function == function) return each->op;
  }
  if (key == MPI_KEYVAL_INVALID &&
      MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_terminals, &key, NULL) != MPI_SUCCESS)
    return MPI_OP_NULL;
  if (!is_set && MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL) != MPI_SUCCESS) return MPI_OP_NULL;
  is_set = 1;
  terminal* const made = malloc(sizeof *made);
  if (made == NULL) return MPI_OP_NULL;
  *made = (terminal){.next = terminals, .function = function, .op = MPI_OP_NULL};
  if (MPI_Op_create(function, 0, &made->op) != MPI_SUCCESS) {
    free(made);
    return MPI_OP_NULL;
  }
  terminals = made;
  return made->op;
}

MPIStream_Function* mpistream_function_of(MPI_Op op) {
  for (terminal* each = terminals; each != NULL; each = each->next) {
    if (each->op == op) return each->function;
  }
  return NULL;
}

static int is_predefined(MPI_Op op) {
  const MPI_Op all[] = {MPI_SUM,  MPI_PROD, MPI_MIN, MPI_MAX,  MPI_LAND,   MPI_LOR,
                        MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  for (size_t i = 0; i != sizeof all / sizeof *all; ++i) {
    if (all[i] == op) return 1;
  }
  return 0;
}

/* Applies the operation to two objects. MPI says by these classes that it does not fit the type. */
static int try_op(MPI_Op op, MPI_Datatype type, const char* in, char* inout, int* accepts) {
  const int error = MPI_Reduce_local(in, inout, 1, type, op);
  int kind = MPI_SUCCESS;
  if (error != MPI_SUCCESS) TRY(MPI_Error_class(error, &kind));
  *accepts = kind == MPI_SUCCESS;
  return kind == MPI_ERR_OP || kind == MPI_ERR_TYPE ? MPI_SUCCESS : error;
}

/* Tries the operation with MPI itself, with MPI's error handlers set aside: MPI 3 calls the handler
 * of MPI_COMM_WORLD, MPI 4 that of MPI_COMM_SELF. */
static int try_quietly(MPI_Op op, MPI_Datatype type, const char* in, char* inout, int* accepts) {
  const MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
  MPI_Errhandler before[] = {MPI_ERRHANDLER_NULL, MPI_ERRHANDLER_NULL};
  int error = MPI_SUCCESS;
  for (int i = 0; i != 2 && error == MPI_SUCCESS; ++i) {
    error = MPI_Comm_get_errhandler(comms[i], &before[i]);
    if (error == MPI_SUCCESS) error = MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
  }
  if (error == MPI_SUCCESS) error = try_op(op, type, in, inout, accepts);
  for (int i = 0; i != 2; ++i) {
    if (before[i] != MPI_ERRHANDLER_NULL)
      error = first_error(error, mpistream_restore_handler(comms[i], &before[i]));
  }
  return error;
}

int mpistream_op_accepts(MPI_Op op, MPI_Datatype type, MPI_Aint begin, MPI_Aint room,
                         int* accepts) {
  *accepts = 1;
  if (!is_predefined(op)) return MPI_SUCCESS;
  char* const in = mpistream_new_object(begin, room);
  char* const inout = mpistream_new_object(begin, room);
  const int error =
      in == NULL || inout == NULL ? MPI_ERR_NO_MEM : try_quietly(op, type, in, inout, accepts);
  mpistream_free_object(in, begin);
  mpistream_free_object(inout, begin);
  return error;
}
