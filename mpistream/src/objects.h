/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The objects and internal functions that the source files of the library share.
 *
 * A stream has these tags on its channel's communicator:
 *   elements   producer -> consumer: any number of elements; none: this producer has ended
 *   control    to a consumer: packed (kind, number, flag), and the data of that kind
 *   answers    consumer 0 -> producer: packed (flag, result); verdicts likewise
 *
 * *Elements.* A consumer keeps a ring of persistent receives with one tag, from any source, and
 * tests only the oldest. Receives of one tag match in the order in which they were started, and
 * messages of one sender do not overtake each other, so the ring has the order of arrival, and
 * keeps the order of each producer. (In M each receive has its own tag and the sender draws one,
 * which loses the order of a producer, and may wait for a busy receive beside idle ones.)
 *
 * *Credits.* A producer sends every `synchronous_every`-th message to a consumer, and the last
 * message, synchronously. A synchronous send is complete only when the consumer has matched it with
 * one of its receives, and therefore all messages before it. At most `lane_messages` messages of a
 * producer to a consumer are not known to be matched. This bounds the messages that can pile up,
 * and needs no messages back except MPI's own.
 *
 * *Consumers* form a binomial tree with consumer 0 as its root. The subtree of a child is a range
 * of consumers that follow its parent's own, so results are combined in the order of consumers. */
#ifndef MPISTREAM_OBJECTS_H
#define MPISTREAM_OBJECTS_H

#define MPISTREAM_WITHOUT_MACROS
#include "MPIStream.h"

#include <stddef.h>

/* Most bytes of a message with several elements. The limit is so small that both MPIs send the
 * message eagerly, without a request to the receiver, which costs least per byte. */
enum { block_bytes = 4000 };
/* Approximate size of all receives of a consumer, and limits on their number. */
enum { ring_bytes = 512 * 1024, least_receives = 2, most_receives = 64, control_receives = 4 };
/* MPI compares a message with all waiting receives, so from the fifth stream of a channel on each
 * stream has fewer receives, in inverse proportion to its number. */
enum { streams_at_full_size = 4, streams_with_all_control = 16 };
enum { lane_messages = 16, synchronous_every = 4 };
/* An element of at least this size is sent from the program's own memory, without a copy. */
enum { direct_bytes = 256 * 1024 };

typedef enum { tag_elements, tag_control, tag_answer, tag_verdict, tags_of_stream } stream_tag;
typedef enum {
  control_query,
  control_contribution,
  control_ask,
  control_partial,
  control_final,
  control_result
} control_kind;

typedef struct {
  char* memory;
  MPI_Request request;
  int has_come; /* the request is complete, but its message has not been read; until then the
                   request must not be tested again */
  MPI_Status status;
} receive;

typedef struct {
  char* block;
  MPI_Request request;
  int is_synchronous;
} outgoing_block;

/* Messages from a producer to one consumer, in a ring. The oldest `flying` messages have been sent
 * and are not known to be matched; the next one is being filled. */
typedef struct {
  int to; /* rank */
  outgoing_block messages[lane_messages + 1];
  int first, flying;
  int sent; /* number of the oldest flying messages whose sends are complete for MPI, but which are
               not known to be matched */
  int unsynchronised; /* number of messages sent since the last synchronous one */
  int elements;       /* number in the block that is being filled */
  int bytes;
  double gone_until; /* time up to which the permitted rate of partly filled messages is used up */
  enum { lane_open, lane_ending, lane_ended } state;
} lane;

typedef struct {
  const void* element;
  lane* to;
} deferred;

/* State of a reduction over the consumers on one of them: its own part, and the part of each child
 * that has arrived. */
typedef struct {
  int running;
  int missing;  /* children */
  char** parts; /* one object for each child */
  int* present;
  int own_present;
  char* own; /* a copy of the local result */
} reduction;

typedef struct outgoing {
  struct outgoing* next;
  MPI_Request request;
  char memory[];
} outgoing;

struct MPIStream_Channel_object {
  int alive;
  struct MPIStream_Channel_object* next; /* all channels ever made: no handle dangles */
  MPI_Comm all, consumers_only;
  MPI_Errhandler handler; /* handler of the communicator that the channel was made of; valid even
                             when that has been freed. `all` itself returns errors */
  int is_producer, is_consumer;
  int rank;
  int producers, consumers;
  int crowd; /* number of ranks on this machine if it is over twice the processors; else 0 */
  int *producer_ranks, *consumer_ranks;
  int own_consumer; /* number among the consumers */
  int own_producer;
  MPIStream streams, last;
  int attached;
  /* Arrays with which a consumer of several streams tests all of them at once: two requests each.
   */
  MPI_Request* heads;
  receive** receives;
  MPI_Status* statuses;
  int* come;
  int heads_room;
  outgoing* outgoing;
};

struct MPIStream_object {
  MPIStream_Channel channel;
  MPIStream next;
  int number;
  int alive;

  MPI_Datatype element, result, process, reduced;
  int element_size; /* bytes of data */
  int is_dense;     /* without gaps, so that elements can be stored one after the other */
  MPI_Aint element_begin, element_room; /* extent of an element in memory, from its address */
  MPI_Aint result_begin, result_room;
  int result_packed, element_packed, process_packed; /* at most */
  int items, reduced_items;
  int block_elements; /* most elements in one message */
  MPIStream_Function* intermediate;
  MPI_Op combines; /* used instead of `intermediate` if not MPI_OP_NULL */
  MPI_Op terminal;
  MPIStream_Function* finishes;
  MPIStream_Selection selection;
  MPIStream_Key* key;
  int used; /* the first element has been sent */

  /* members of a consumer */
  receive* ring;
  int ring_count, ring_head;
  receive control[control_receives];
  int control_count, control_head, control_bytes;
  char* unpacked;
  char* local; /* the result; its address, from which its data begin at result_begin */
  char* global;
  long long processed;
  int expected_ends, ends;
  int in_callback, in_contribution;
  int until_clock; /* number of elements until the clock is read next */
  int between_clocks;
  double clock_read_at, looked_at;
  int operated;
  int undecided; /* the selection rule, and so the producers of this consumer, may change */
  reduction partial, last_one;
  int number_of_partial;
  int finished_local, over;
  int global_present;
  int* waiting; /* ranks that wait for an answer, at the root */
  int waiting_count, waiting_room;
  int asked; /* number of the `waiting` ranks that the running reduction answers */
  int round;

  /* members of a producer */
  lane* lanes;
  int lane_count, next_lane;
  int quick; /* number of elements that may be appended to the only lane's block without any other
                check */
  char* filling; /* the block of the only lane, if `quick` is not 0 */
  deferred* deferred;
  int deferred_first, deferred_count, deferred_room;
  int ending;
  char* answer_memory;
  MPI_Request answer;
  int own_round;
  char* verdict_memory;
  MPI_Request verdict;
};

/* errors.c */
void set_up_errors(void);
/* Prints a line to standard error. All that the library prints goes through this function: the
   reason of an error that ends the program, and a trace that can't be written. */
__attribute__((format(printf, 1, 2))) void give_notice(const char* format, ...);
/* Functions that make the return value of a public function. They call the error handler that the
   channel has taken from its communicator, or that of MPI_COMM_WORLD if the error belongs to no
   channel, and return the error. Functions within the library only return errors. */
int raise_error(MPIStream_Channel channel, int error);
int raise_error_on(MPI_Comm comm, int error);
static inline int told(MPIStream_Channel channel, int error) {
  return error == MPI_SUCCESS ? MPI_SUCCESS : raise_error(channel, error);
}
static inline int told_of(const MPIStream* stream, int error) {
  return error == MPI_SUCCESS
             ? MPI_SUCCESS
             : raise_error(stream != NULL && *stream != NULL ? (*stream)->channel : NULL, error);
}
int check_channel(MPIStream_Channel channel);
int check_stream(const MPIStream* stream);
#define TRY(call)                                   \
  do {                                              \
    const int try_error = (call);                   \
    if (try_error != MPI_SUCCESS) return try_error; \
  } while (0)

/* operations.c */
MPI_Op predefined_of(MPIStream_Function* function);
MPIStream_Function* function_of_terminal(MPI_Op op);
/* Whether MPI can apply `op` to an object of `type`, whose data begin at `begin` and take `room`
 * bytes; a user-defined operation always fits. */
int fits(MPI_Op op, MPI_Datatype type, MPI_Aint begin, MPI_Aint room);

/* types.c */
typedef struct {
  int size;      /* bytes of data */
  int signature; /* hash of the sequence of basic types in the type, by which MPI defines which
                    types match */
  int leaf;      /* hash of the only basic type in the type; -1: there are several */
  MPI_Aint begin, room;
  int is_dense;
} type_facts;
int look_at_type(MPI_Datatype type, type_facts* facts);
/* Makes a type that lives as long as the stream: a duplicate, or a basic type itself, since MPI's
 * operations do not accept duplicates, and type comparisons do not recognise them. */
int keep_type(MPI_Datatype type, MPI_Datatype* kept);
void drop_type(MPI_Datatype* kept);

/* memory.c */
/* Allocates zeroed memory for an object whose first byte is `begin` bytes after its address.
 * @return the address; null: out of memory */
char* new_object(MPI_Aint begin, MPI_Aint room);
void free_object(char* address, MPI_Aint begin);

/* produce.c */
int open_lanes(MPIStream stream);
void close_lanes(MPIStream stream);
/* Makes all progress that is possible without waiting. */
int go_on_producing(MPIStream stream);
/* Does the work of MPIStream_Iterminate, but only returns errors. */
int begin_to_terminate(MPIStream* stream);
/* Whether MPIStream_Wait has nothing left to wait for. Has the type `is_done`. */
int is_over_and_empty(void* stream, int* error);
/* Sends partly filled blocks to consumers that are not behind. */
int send_what_waits(MPIStream stream);

/* consume.c */
int open_receives(MPIStream stream);
int close_receives(MPIStream stream);
int begin_result(MPIStream stream);
int process_element(MPIStream stream, const void* element);
/* Handles all messages that have arrived for the streams of a channel. Sets `did` if there was one.
 * @return an error */
int go_on_consuming(MPIStream_Channel channel, int* did);

/* combine.c */
int take_control(MPIStream stream, const char* message, int bytes, int source);
int finish_if_all_have_ended(MPIStream stream);
void free_reductions(MPIStream stream);

/* threshold.c */
int take_contribution(MPIStream stream, const char* message, int bytes, int position, int round);

/* progress.c */
int tag_of(const struct MPIStream_object* stream, stream_tag kind);
/* Makes all progress on a channel that is possible without waiting. */
int go_on(MPIStream_Channel channel, int* did);
/* Condition for `go_on_until`; may set `error`. */
typedef int is_done(void* of, int* error);
/* MPI_Allreduce with MPI_MAX, which makes progress on the channel while it waits. */
int most_of_all(MPIStream_Channel channel, const int* own, int* most, int count);
int go_on_until(MPIStream_Channel channel, is_done* done, void* of);
/* Allocates a message of packed bytes, which is freed when it has been sent. */
outgoing* new_outgoing(size_t bytes);
int post(MPIStream_Channel channel, outgoing* message, int bytes, int to, int tag);

/* trace.c */
typedef enum {
  trace_create,
  trace_attach,
  trace_send,
  trace_wait,
  trace_operate,
  trace_process,
  trace_query,
  trace_threshold,
  trace_terminate,
  trace_free,
  trace_names
} trace_name;
extern int trace_is_on; /* 0: no trace is written */
double trace_time(void);
void trace_event(trace_name name, double begin);
void trace_write(void);
static inline double trace_now(void) { return trace_is_on == 0 ? -1 : trace_time(); }
static inline void trace_add(trace_name name, double begin) {
  if (begin >= 0) trace_event(name, begin);
}

#endif
