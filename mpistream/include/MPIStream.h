/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/** @file
 * MPIStream: data streams between the ranks of an MPI program, after Peng, Markidis, Laure, Holmes,
 * Bull: *A Data Streaming Model in MPI* (ExaMPI 2015), called M below.
 *
 * Some ranks *produce* elements, others *consume* them. A *channel* joins producers and consumers.
 * *Streams* are attached to a channel; each has an element type, a result type, and an operation on
 * its elements. A consumer keeps a local result, which an *intermediate* function updates with each
 * element; a *terminal* operation combines all local results into one global result (M §3.1).
 *
 * Errors are reported as in MPI: a function that detects an error calls the error handler that the
 * communicator had when the channel was made of it. The error is one of the classes below, one of
 * MPI's error classes, or the code that a function of MPI has returned; MPI_Error_class gives its
 * class, and MPI_Error_string its text. MPI's default handler ends the program with this text. With
 * MPI_ERRORS_RETURN the function returns the error, or MPI_SUCCESS if there is none. Errors that
 * belong to no channel go to the handler of MPI_COMM_WORLD.
 *
 * If MPI fails, the function that returns its error has not had its effect: it has not sent the
 * element, not attached the stream, not returned a result. It may be called again with the same
 * arguments, and then goes on where it was. No element is sent or processed twice. An error that
 * comes after the call has had its effect, or while other ranks wait for this one in a call that is
 * collective over a channel, is returned by a later call on the channel, at the latest by
 * MPIStream_FreeChannel. There are these exceptions:
 * - After MPIStream_Terminate and MPIStream_Iterminate this rank's part has ended even so;
 *   MPIStream_Wait and MPIStream_FreeChannel then complete it.
 * - MPIStream_FreeChannel has freed the channel if the handle is null.
 * - MPI can lose a message: its request ends with an error after it has begun. Each later call on
 *   the channel that sends a message, waits or makes progress then returns MPI_ERR_INTERN. So does
 *   MPIStream_FreeChannel, and does not free the channel. Elements may be missing, MPI may still
 *   read the program's memory, and other ranks may wait for this one: end the program by MPI_Abort.
 * - A message also counts as lost after MPIStream_Attach and MPIStream_Set_selection if MPI has
 *   failed for a second without a success while the ranks agreed, or could not cancel the receives
 *   of a stream that has not been attached.
 * - If MPI fails for a second without a success while it reads a large element (256 KiB) of
 *   MPIStream_Send, the element may have been sent, and MPI may still read it.
 * - MPIStream_CreateChannel makes collective calls of MPI. If MPI refuses one of them on some ranks
 *   only, the others may wait in it for ever: end the program by MPI_Abort.
 *
 * Only one thread of a process at a time may call these functions (MPI_THREAD_SERIALIZED at least,
 * if it is not always the same thread). Streams use communicators of their own, and do not
 * interfere with messages of the program. Every call that waits, and MPIStream_Ioperate,
 * MPIStream_Test and MPIStream_Iquery, but no other call, also handle all messages that have
 * arrived for this rank on the same channel, for all streams of the channel.
 */
#ifndef MPISTREAM_H
#define MPISTREAM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Handles of a channel and of a stream; null once the object has been freed. */
typedef struct MPIStream_Channel_object* MPIStream_Channel;
typedef struct MPIStream_object* MPIStream;
typedef MPIStream MPI_Stream; /**< M uses both names. */

/**
 * An intermediate or a terminal function.
 *
 * An intermediate function with `*len == 0` sets `inout`, the local result, to its initial value
 * before the first element; `in` is null then. Otherwise `in` is one element, `*len` is the number
 * of items of the process type in the element, and the function updates `inout`. It may send on
 * other streams, unless these lead back to it in a cycle. It may send on its own stream as long as
 * there is room (else MPISTREAM_ERR_CALL). `in` belongs to the function until it returns.
 *
 * A terminal function has the form and the task of MPI's user-defined reductions: `inout[i] = in[i]
 * op inout[i]` for `*len` items of `*datatype`. `in` belongs to consumers that precede those of
 * `inout`. Before the reduction, after the last element, it is called once on each consumer with
 * `*len == 0` and `in` null, to finish `inout`, the local result.
 */
typedef void MPIStream_Function(void* in, void* inout, int* len, MPI_Datatype* datatype);

/** The operation that a stream applies to its elements. */
typedef struct MPIStream_Operation {
  /** A function of the program, or one of MPIStream_SUM and so on. These apply the MPI_Op of the
   * same name to the items of an element, and take the first element as the initial result. */
  MPIStream_Function* intermediate_function;
  /** A predefined MPI_Op, one made by MPI_Op_create, or one made by MPIStream_Terminal().
   * MPI_OP_NULL: there is no global result; local results stay local. */
  MPI_Op terminal_function;
} MPIStream_Operation;

/** Values for `intermediate_function`; the program must not call them. */
MPIStream_Function MPIStream_SUM, MPIStream_PROD, MPIStream_MIN, MPIStream_MAX, MPIStream_LAND,
    MPIStream_LOR, MPIStream_BAND, MPIStream_BOR;

/** Makes a terminal function into an MPI_Op for `terminal_function`. The MPI_Op lives until
 * MPI_Finalize. @return the MPI_Op, or MPI_OP_NULL if MPI can create no more */
MPI_Op MPIStream_Terminal(MPIStream_Function* function);

/** Rule that selects the consumer for each element of a producer. */
typedef enum MPIStream_Selection {
  /** Always the same one; consumers get equal, contiguous shares of the producers (M §3.2). */
  MPISTREAM_STATIC = 0,
  /** All consumers in turn. */
  MPISTREAM_ROUND_ROBIN = 1,
  /** The same consumer for equal keys, for all producers. */
  MPISTREAM_BY_KEY = 2,
  /** The consumer that is the fewest messages behind, as far as this producer knows. */
  MPISTREAM_LEAST_LOADED = 3
} MPIStream_Selection;

/** Function of the program that returns the key of an element. */
typedef unsigned long long MPIStream_Key(const void* element);

/** Error classes in addition to MPI's own. The first call of this library sets them. */
/** The handle is not a channel, or the channel has been freed. */
extern int MPISTREAM_ERR_CHANNEL;
/** The handle is not a stream, or its channel has been freed. */
extern int MPISTREAM_ERR_STREAM;
/** This rank does not produce, or does not consume, on that channel. */
extern int MPISTREAM_ERR_ROLE;
/** This rank has terminated its part of the stream, or the stream is over. */
extern int MPISTREAM_ERR_ENDED;
/** A type that a stream cannot have, or that differs between ranks. */
extern int MPISTREAM_ERR_TYPE;
/** An operation that does not fit the types of the stream. */
extern int MPISTREAM_ERR_OPERATION;
/** No rank produces, or none consumes. */
extern int MPISTREAM_ERR_PARTS;
/** The function must not be called from within this callback, or only from within a callback. */
extern int MPISTREAM_ERR_CALL;

/**
 * Creates a channel. Collective over `comm`. A rank may produce, consume, do both, or neither; all
 * ranks that produce or consume must then make each call that is collective over the channel. At
 * least one rank must produce and one consume, else all ranks get MPISTREAM_ERR_PARTS. If one of
 * them has another error, the others get MPI_ERR_OTHER, unless it is MPI's error of a collective
 * call (see above). MPIStream_Attach and MPIStream_Set_selection report errors of one rank to the
 * others in the same way. Some classes are returned on all ranks if one of them has it:
 * MPISTREAM_ERR_TYPE and MPISTREAM_ERR_OPERATION of MPIStream_Attach, MPISTREAM_ERR_ENDED and
 * MPI_ERR_ARG of MPIStream_Set_selection. Null pointers, wrong handles, and calls within functions
 * are not reported to the others, which then wait.
 */
int MPIStream_CreateChannel(int isProducer, int isConsumer, MPI_Comm comm,
                            MPIStream_Channel* channel);

/**
 * Frees a channel and the streams attached to it. Collective over the channel. A producer that has
 * not yet terminated its part of a stream does so here; a consumer then processes elements until
 * the end of all streams. A consumer whose functions send on a stream of the same channel must
 * therefore operate its streams before this call. Not within a function of one of its streams
 * (MPISTREAM_ERR_CALL).
 */
int MPIStream_FreeChannel(MPIStream_Channel* channel);

/** Gives the numbers of producers and of consumers. Either pointer may be null. */
int MPIStream_Channel_size(MPIStream_Channel channel, int* producers, int* consumers);

/**
 * Gives the communicator of all ranks of the channel, and that of its consumers: M's
 * StreamGlobalComm and StreamOpComm. A rank that is not in one gets MPI_COMM_NULL. The channel owns
 * both and uses them itself: a program that communicates by source, tag and order must use a
 * duplicate. Either pointer may be null.
 */
int MPIStream_Channel_comm(MPIStream_Channel channel, MPI_Comm* all, MPI_Comm* consumers);

/**
 * Attaches a stream to a channel. Collective over the channel, in the same order on all its ranks.
 * Elements, result and items must consist of the same basic types in the same order on all ranks,
 * as MPI requires of send and receive types; else all ranks get MPISTREAM_ERR_TYPE. Their layouts
 * may differ. An element is a whole number of items of `processDataType`. The types may be freed
 * afterwards; an MPI_Op that the program has created must live as long as the channel. Not within a
 * function of one of the channel's streams (MPISTREAM_ERR_CALL): other ranks may wait for the call
 * in which that runs.
 */
int MPIStream_Attach(MPI_Datatype streamDataType, MPI_Datatype resultDataType,
                     MPI_Datatype processDataType, MPIStream_Operation* operation,
                     MPIStream* stream, MPIStream_Channel* channel);

/**
 * Sets the selection rule. Collective over the channel, with the same rule on all its ranks, before
 * the first element, and like MPIStream_Attach not within a function of one of the channel's
 * streams. Only MPISTREAM_BY_KEY needs `key`. While a rank waits in this call, elements of other
 * streams that were sent before it may run functions. If these send on this stream, or terminate
 * it, they get MPISTREAM_ERR_CALL. Elements that a rank sends after this call never do that.
 */
int MPIStream_Set_selection(MPIStream stream, MPIStream_Selection selection, MPIStream_Key* key);

/**
 * Sends one element. Waits while the consumer of the element is more than a few messages behind,
 * which bounds the memory in use; on return the program may reuse `sendbuf`. Small elements share a
 * message while the consumer is behind, and at a high rate: after eight messages at once, and then
 * one per half a millisecond, an element waits for up to 64 more, or until the message is full. The
 * last elements may stay until this producer's next call that waits or makes progress, such as
 * MPIStream_Flush, MPIStream_Wait, MPIStream_Test and queries; MPIStream_Flush waits until they
 * have been sent.
 */
int MPIStream_Send(const void* sendbuf, MPIStream* stream);
/** Like MPIStream_Send, but does not wait. `sendbuf` must not change until MPIStream_Wait returns,
 * or MPIStream_Test has set its flag. */
int MPIStream_Isend(const void* sendbuf, MPIStream* stream);
/** Waits until no element that this producer has sent depends on its next call. */
int MPIStream_Flush(MPIStream* stream);

/** Tells the consumers that this producer has no more elements. MPIStream_Terminate waits until its
 * consumers know, MPIStream_Iterminate does not. Both take the stream, or a pointer to it. */
int MPIStream_Terminate(MPIStream stream);
int MPIStream_Iterminate(MPIStream stream);

/** Receives and processes elements in the order of arrival, until all producers have terminated and
 * the global result is there. */
int MPIStream_Operate(MPIStream* stream);
/** Processes the elements that have arrived, without waiting. */
int MPIStream_Ioperate(MPIStream* stream);

/** Waits until all operations are complete that this rank has begun with MPIStream_Isend and
 * MPIStream_Iterminate. On a consumer it acts like MPIStream_Operate. */
int MPIStream_Wait(MPIStream* stream);
/** Makes progress without waiting. Sets `flag` if MPIStream_Wait would return at once. */
int MPIStream_Test(MPIStream* stream, int* flag);

/**
 * Reads the present global result, for a producer: the result of all elements that each consumer
 * has processed when the query reaches it. A query overtakes elements. Sets `flag` to whether any
 * element had been processed. The consumers answer only from within calls of this library. Takes
 * the stream, or a pointer to it.
 */
int MPIStream_Query(void* resultbuf, int* flag, MPIStream stream);
/** Like MPIStream_Query, but does not wait. The first call sends the query. A call that finds the
 * answer sets `flag` if there is a result, and completes the query; the next call sends another. */
int MPIStream_Iquery(void* resultbuf, int* flag, MPIStream stream);

/** Sets `flag` to whether the stream is over for this consumer: all producers have terminated, and
 * the global result is there. */
int MPIStream_Over(MPIStream stream, int* flag);

/** Copies the global result on a consumer whose MPIStream_Operate has returned, and the local
 * result before that. */
int MPIStream_Result(void* resultbuf, MPIStream stream);

/**
 * A threshold collective (M §5.2). A producer contributes the element `local_result` to the present
 * round, and gets the answer of the round, one item of the process type, as soon as the answer is
 * certain, even if some producers have not contributed yet. A contribution to a round that has been
 * decided is dropped. The intermediate function decides on the first consumer of the channel: it
 * receives the contributions of the present round, and gives the answer by calling this function
 * with a null `local_result` and the answer in `global_result`, which ends the round. Producers
 * must begin their rounds in the same order, and take part in every round unless they know that it
 * is the last.
 */
int MPIStream_ThresholdColl(void* local_result, void* global_result, MPIStream* stream);

/** The functions of the same name without `_pointer`, for a pointer to the stream. The listings of
 * M pass either; in C and C++ the short names take both. */
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
