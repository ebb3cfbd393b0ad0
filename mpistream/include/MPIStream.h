/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/** @file
 * Data streams within an MPI program, after Peng, Markidis, Laure, Holmes, Bull: *A Data Streaming
 * Model in MPI* (ExaMPI 2015), called M below.
 *
 * Some ranks *produce* elements, others *consume* them: a *channel* joins both, *streams* are
 * attached to it, each with the type of its elements, the type of its result, and what is done with
 * an element. A consumer keeps a local result, which an *intermediate* function updates with each
 * element; a *terminal* operation makes one global result of all local ones (M §3.1).
 *
 * Errors are those of MPI: a function that finds one calls the error handler that the communicator
 * had when the channel was made of it, with one of MPI's error classes or one of those below, whose
 * words MPI_Error_string gives. MPI's default handler ends the program with these words. With
 * MPI_ERRORS_RETURN the function returns the class; MPI_SUCCESS is none. What belongs to no channel
 * is told the handler of MPI_COMM_WORLD. Functions may be called from one thread of a process at a
 * time (at least MPI_THREAD_SERIALIZED where that is not always the same one). Streams use
 * communicators of their own: nothing that the program sends or receives is touched. In every call
 * that waits, and only then, all that has come for this rank on the same channel is seen to,
 * whichever stream it belongs to.
 */
#ifndef MPISTREAM_H
#define MPISTREAM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Both are handles; null once they have been freed. */
typedef struct MPIStream_Channel_object* MPIStream_Channel;
typedef struct MPIStream_object* MPIStream;
typedef MPIStream MPI_Stream; /**< M writes both. */

/**
 * An intermediate function. With `*len == 0` it sets `inout`, the local result, to what it is
 * before there are elements; `in` is null then. Else `in` is one element, `*len` the number of
 * items of the process type in it, and it updates `inout`. It may send on other streams, as long as
 * these do not come back to it in a circle, and on its own as long as there is room (else
 * MPISTREAM_ERR_CALL); `in` is its own until it returns.
 *
 * A terminal function has the form and the task of MPI's user-defined reductions: `inout[i] = in[i]
 * op inout[i]` for `*len` items of `*datatype`. `in` is of consumers before those of `inout`.
 * Before that it is called once on each consumer with `*len == 0` and `in` null, behind the last
 * element: to finish `inout`, the local result.
 */
typedef void MPIStream_Function(void* in, void* inout, int* len, MPI_Datatype* datatype);

/** What is done with the elements of a stream. */
typedef struct MPIStream_Operation {
  /** The program's, or one of MPIStream_SUM and so on, which do with the items of an element what
   * the MPI_Op of that name does, and keep the first element as it is. */
  MPIStream_Function* intermediate_function;
  /** A predefined MPI_Op, one of MPI_Op_create, or a function by MPIStream_Terminal(). MPI_OP_NULL:
   * local results stay local. */
  MPI_Op terminal_function;
} MPIStream_Operation;

/** For `intermediate_function`; not to be called. */
MPIStream_Function MPIStream_SUM, MPIStream_PROD, MPIStream_MIN, MPIStream_MAX, MPIStream_LAND,
    MPIStream_LOR, MPIStream_BAND, MPIStream_BOR;

/** @return a terminal function as an MPI_Op, for `terminal_function`; MPI_OP_NULL if MPI has no
 * more. It is kept until MPI_Finalize. */
MPI_Op MPIStream_Terminal(MPIStream_Function* function);

/** Which consumer gets an element of a producer. */
typedef enum MPIStream_Selection {
  /** Always the same one; producers are dealt out in equal, contiguous shares (M §3.2). */
  MPISTREAM_STATIC = 0,
  /** One after the other. */
  MPISTREAM_ROUND_ROBIN = 1,
  /** The same for equal keys, whichever producer they come from. */
  MPISTREAM_BY_KEY = 2,
  /** The one that is fewest messages behind, as far as this producer sees. */
  MPISTREAM_LEAST_LOADED = 3
} MPIStream_Selection;

/** @return the key of an element */
typedef unsigned long long MPIStream_Key(const void* element);

/** Error classes beside MPI's own. They are set by the first call of this library. */
/** No channel, or one that has been freed. */
extern int MPISTREAM_ERR_CHANNEL;
/** No stream, or one whose channel has been freed. */
extern int MPISTREAM_ERR_STREAM;
/** This rank does not produce, or does not consume, on that channel. */
extern int MPISTREAM_ERR_ROLE;
/** This rank has terminated its part of the stream, or the stream is over. */
extern int MPISTREAM_ERR_ENDED;
/** A type that a stream can't have, or that is not the same on all ranks. */
extern int MPISTREAM_ERR_TYPE;
/** An operation that does not fit the types of the stream. */
extern int MPISTREAM_ERR_OPERATION;
/** No rank produces, or none consumes. */
extern int MPISTREAM_ERR_PARTS;
/** Not here: from within a callback that may not call it, or out of one that must. */
extern int MPISTREAM_ERR_CALL;

/**
 * Collective over `comm`. A rank may produce, consume, do both, or neither; all of those who do
 * either must then call what is collective over the channel. At least one must produce and one
 * consume, else all ranks get MPISTREAM_ERR_PARTS.
 */
int MPIStream_CreateChannel(int isProducer, int isConsumer, MPI_Comm comm,
                            MPIStream_Channel* channel);

/**
 * Collective over the channel. A producer that has not yet terminated its part of a stream does so
 * here; a consumer then goes on to the end of all streams. So one whose functions send on a stream
 * of the same channel operates its streams before. What has been attached is freed too.
 */
int MPIStream_FreeChannel(MPIStream_Channel* channel);

/** How many ranks produce, and consume. Either may be null. */
int MPIStream_Channel_size(MPIStream_Channel channel, int* producers, int* consumers);

/**
 * The communicator of all ranks of the channel, and that of its consumers: M's StreamGlobalComm and
 * StreamOpComm. MPI_COMM_NULL for who is not in it. They are the channel's: for communication that
 * is matched by source, tag and order it needs a duplicate of its own. Either may be null.
 */
int MPIStream_Channel_comm(MPIStream_Channel channel, MPI_Comm* all, MPI_Comm* consumers);

/**
 * Collective over the channel, in the same order on all its ranks. Elements, result and items are
 * made of the same basic types in the same order on all ranks, as MPI wants it of what is sent and
 * received, or all get MPISTREAM_ERR_TYPE; their layouts may differ. An element is a whole number
 * of items of `processDataType`. Types may be freed afterwards; an MPI_Op of the program's must
 * live as long as the channel.
 */
int MPIStream_Attach(MPI_Datatype streamDataType, MPI_Datatype resultDataType,
                     MPI_Datatype processDataType, MPIStream_Operation* operation,
                     MPIStream* stream, MPIStream_Channel* channel);

/** Collective over the channel, the same on all its ranks, before the first element. `key` is
 * needed by MPISTREAM_BY_KEY only. */
int MPIStream_Set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key);

/**
 * One element out. Waits while the consumer that it is for is more than a few messages behind, so
 * that nothing piles up; on return `sendbuf` is free. Small elements travel together while the
 * consumer is behind, and where there are many: beyond eight at once, and then one message in half
 * a millisecond, they wait for up to 64 more of them, or until a message is full. The last of them
 * may wait for this producer's next call that waits or looks, as MPIStream_Flush, MPIStream_Wait,
 * MPIStream_Test and questions do; MPIStream_Flush waits until they have gone.
 */
int MPIStream_Send(const void* sendbuf, MPIStream* stream);
/** The same without waiting. `sendbuf` must stay as it is until MPIStream_Wait, or until
 * MPIStream_Test has found that nothing is left. */
int MPIStream_Isend(const void* sendbuf, MPIStream* stream);
/** Nothing that has been sent waits for this producer's next call. */
int MPIStream_Flush(MPIStream* stream);

/** This producer has no more elements. Waits until its consumers know. MPIStream_Iterminate does
 * not. Both take the stream, or a pointer to it. */
int MPIStream_Terminate(MPIStream stream);
int MPIStream_Iterminate(MPIStream stream);

/** Receives and processes elements, from whoever has sent first, until all producers have
 * terminated and the global result is there. */
int MPIStream_Operate(MPIStream* stream);
/** Processes what has come, without waiting. */
int MPIStream_Ioperate(MPIStream* stream);

/** Until all that this rank has begun with MPIStream_Isend and MPIStream_Iterminate is done; for a
 * consumer, like MPIStream_Operate. */
int MPIStream_Wait(MPIStream* stream);
/** Whether that is so; goes on with it, as far as that is possible without waiting. */
int MPIStream_Test(MPIStream* stream, int* flag);

/**
 * A producer reads the present global result: that of all elements that have been processed when
 * the question, which overtakes elements, gets to each consumer. `flag`: whether any had been. The
 * consumers must be within a call of this library to answer. Takes the stream, or a pointer to it.
 */
int MPIStream_Query(void* resultbuf, int* flag, MPIStream stream);
/** The first call asks; one that finds the answer sets `flag`, if it is a result, and is done: the
 * next call asks again. */
int MPIStream_Iquery(void* resultbuf, int* flag, MPIStream stream);

/** Whether the stream is over for this consumer: all producers have terminated, and the global
 * result is there. */
int MPIStream_Over(MPIStream stream, int* flag);

/** The global result, on a consumer whose MPIStream_Operate has returned; the local one before
 * that. */
int MPIStream_Result(void* resultbuf, MPIStream stream);

/**
 * A threshold collective (M §5.2). A producer contributes `local_result`, an element, to the
 * present round, and gets the round's answer, one item of the process type, as soon as it is
 * certain, whoever may not have contributed yet; a contribution to a round that has been decided is
 * dropped. The intermediate function decides, on the first consumer of the channel: it gets the
 * contributions of the present round, and gives the answer by calling this function with a null
 * `local_result` and the answer in `global_result`, which ends the round. Producers must begin
 * their rounds in the same order, and take part in all that they can't know to be the last.
 */
int MPIStream_ThresholdColl(void* local_result, void* global_result, MPIStream* stream);

/* What the listings of M need beyond the prototypes: stream or pointer to it. */
int MPIStream_Terminate_pointer(MPIStream* stream);
int MPIStream_Iterminate_pointer(MPIStream* stream);
int MPIStream_Query_pointer(void* resultbuf, int* flag, MPIStream* stream);
int MPIStream_Iquery_pointer(void* resultbuf, int* flag, MPIStream* stream);

#ifdef __cplusplus
}
inline int MPIStream_Terminate(MPIStream* stream) { return MPIStream_Terminate_pointer(stream); }
inline int MPIStream_Iterminate(MPIStream* stream) { return MPIStream_Iterminate_pointer(stream); }
inline int MPIStream_Query(void* resultbuf, int* flag, MPIStream* stream) {
  return MPIStream_Query_pointer(resultbuf, flag, stream);
}
inline int MPIStream_Iquery(void* resultbuf, int* flag, MPIStream* stream) {
  return MPIStream_Iquery_pointer(resultbuf, flag, stream);
}
#elif !defined(MPISTREAM_WITHOUT_MACROS)
#define MPIStream_either(stream, name) \
  _Generic((stream), MPIStream *: name##_pointer, default: name)
#define MPIStream_Terminate(stream) MPIStream_either(stream, MPIStream_Terminate)(stream)
#define MPIStream_Iterminate(stream) MPIStream_either(stream, MPIStream_Iterminate)(stream)
#define MPIStream_Query(resultbuf, flag, stream) \
  MPIStream_either(stream, MPIStream_Query)(resultbuf, flag, stream)
#define MPIStream_Iquery(resultbuf, flag, stream) \
  MPIStream_either(stream, MPIStream_Iquery)(resultbuf, flag, stream)
#endif

#endif
