/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* What the parts of the library share.
 *
 * A stream has three tags on its channel's communicator:
 *   elements   producer -> consumer: any number of elements; none: this producer has ended
 *   control    to a consumer: packed (kind, number, flag), and what the kind says
 *   answers    consumer 0 -> producer: packed (flag, result); verdicts likewise
 *
 * *Elements.* A consumer keeps a ring of persistent receives with one tag, from any source, and
 * looks only at the oldest. Receives of one tag match in the order in which they were started, and
 * messages of one sender do not overtake each other, so the ring is the order of arrival, and keeps
 * that of each producer. (M gives each receive a tag of its own and lets the sender draw one, which
 * loses that order, and may wait for a busy receive beside idle ones.)
 *
 * *Credits.* Of a producer's messages to a consumer each `synchronous_every`-th, and the last, is
 * sent synchronously: such a send is done only when the consumer has matched it with one of its
 * receives, and so has matched all before it. At most `lane_messages` of a producer are not yet
 * known to be matched; that is all that can pile up, and needs no messages back but MPI's own.
 *
 * *Consumers among themselves* are a binomial tree with consumer 0 as its root; the subtree of a
 * child is a range of consumers that follow its parent's own, so that results are combined in the
 * order of consumers. */
#ifndef MPISTREAM_OBJECTS_H
#define MPISTREAM_OBJECTS_H

#define MPISTREAM_WITHOUT_MACROS
#include "MPIStream.h"

#include <stddef.h>

/* Of a message of several elements, at most: small enough that both MPIs send it at once, without
 * asking (eagerly), which costs least per byte. */
enum { block_bytes = 4000 };
/* Of all receives of a consumer, about. */
enum { ring_bytes = 512 * 1024, least_receives = 2, most_receives = 64, control_receives = 4 };
/* A message is compared with all receives that wait, so the streams of a channel share about four
 * times as many as one has: from the fifth on each has fewer. */
enum { streams_at_full_size = 4, streams_with_all_control = 16 };
enum { lane_messages = 16, synchronous_every = 4 };
/* From this size on an element goes out of the program's own memory, without a copy. */
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
  int has_come; /* it is done, and nobody has looked at what it brought; until then MPI must not be
                   asked again */
  MPI_Status status;
} receive;

typedef struct {
  char* block;
  MPI_Request request;
  int is_synchronous;
} outgoing_block;

/* From a producer to one consumer: messages in a ring, of which the oldest `flying` have been sent
 * and are not known to be matched, and the next one is being filled. */
typedef struct {
  int to; /* rank */
  outgoing_block messages[lane_messages + 1];
  int first, flying;
  int sent; /* of those that fly, the oldest: done, as far as MPI is concerned, but not known to be
               matched */
  int unsynchronised; /* of the last ones */
  int elements;       /* in the block that is being filled */
  int bytes;
  double gone_until; /* when blocks that were not full may have been sent, at the rate at which they
                        may be */
  enum { lane_open, lane_ending, lane_ended } state;
} lane;

typedef struct {
  const void* element;
  lane* to;
} deferred;

/* A reduction over the consumers, on one of them: its own part, and one of each child when it has
 * come. */
typedef struct {
  int running;
  int missing;  /* children */
  char** parts; /* one of each child; null: has not come, or is empty */
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
  struct MPIStream_Channel_object* next; /* all there ever were, so that a handle never dangles */
  MPI_Comm all, consumers_only;
  MPI_Errhandler handler; /* of the communicator that it was made of, also when it has been freed;
                             `all` itself returns errors */
  int is_producer, is_consumer;
  int rank;
  int producers, consumers;
  int crowd; /* the ranks on this machine, if they are many more than it has processors; else 0 */
  int *producer_ranks, *consumer_ranks;
  int own_consumer; /* number among the consumers */
  int own_producer;
  MPIStream streams, last;
  int attached;
  /* Of a consumer of several streams, room to look at all of them at once: two requests for each.
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
  int is_dense;     /* without gaps, so that elements can lie one behind the other */
  MPI_Aint element_begin, element_room; /* of the memory of one element, from its address */
  MPI_Aint result_begin, result_room;
  int result_packed, element_packed, process_packed; /* at most */
  int items, reduced_items;
  int block_elements; /* in one message, at most */
  MPIStream_Function* intermediate;
  MPI_Op combines; /* instead of the former */
  MPI_Op terminal;
  MPIStream_Function* finishes;
  MPIStream_Selection selection;
  MPIStream_Key* key;
  int used; /* the first element has been sent */

  /* of a consumer */
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
  int until_clock; /* elements, until the clock is read */
  int between_clocks;
  double clock_read_at, looked_at;
  int operated;
  int undecided; /* who sends to this consumer */
  reduction partial, last_one;
  int number_of_partial;
  int finished_local, over;
  int global_present;
  int* waiting; /* ranks that wait for an answer, at the root */
  int waiting_count, waiting_room;
  int asked; /* those that the running reduction is for */
  int round;

  /* of a producer */
  lane* lanes;
  int lane_count, next_lane;
  int quick; /* so many elements may be put into the only lane's block without a look at anything
                else */
  char* filling; /* this block, if `quick` is not 0 */
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
/* What a function of the library returns: an error is told the error handler that the channel has
   of its communicator; one that belongs to no channel, that of MPI_COMM_WORLD. Functions within the
   library return errors only. */
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
/* Whether MPI knows how to do that with one of `type`, whose data begin at `begin` and take `room`
 * bytes; what is the user's own does. */
int fits(MPI_Op op, MPI_Datatype type, MPI_Aint begin, MPI_Aint room);

/* types.c */
typedef struct {
  int size;      /* bytes of data */
  int signature; /* a mark of the sequence of basic types that it is made of, by which MPI says
                    which types match */
  int leaf;      /* the one basic type that it is made of; -1: several */
  MPI_Aint begin, room;
  int is_dense;
} type_facts;
int look_at_type(MPI_Datatype type, type_facts* facts);
/* A type for as long as the stream lives: a basic type itself, since MPI's operations know no
 * duplicates, nor do functions that compare. */
int keep_type(MPI_Datatype type, MPI_Datatype* kept);
void drop_type(MPI_Datatype* kept);

/* memory.c */
/* Memory for an object of which the first byte is `begin` behind its address. @return its address;
 * null: there is none */
char* new_object(MPI_Aint begin, MPI_Aint room);
void free_object(char* address, MPI_Aint begin);

/* produce.c */
int open_lanes(MPIStream stream);
void close_lanes(MPIStream stream);
/* All that can be done without waiting. */
int go_on_producing(MPIStream stream);
/* As MPIStream_Iterminate and MPIStream_Test. */
int begin_to_terminate(MPIStream* stream);
/* Whether MPIStream_Wait has nothing more to wait for; an is_done. */
int is_over_and_empty(void* stream, int* error);
/* Elements that have waited for others, to consumers that are not behind. */
int send_what_waits(MPIStream stream);

/* consume.c */
int open_receives(MPIStream stream);
int close_receives(MPIStream stream);
int begin_result(MPIStream stream);
int process_element(MPIStream stream, const void* element);
/* What has come for all streams of a channel. @return an error; `did` is set if there was something
 */
int go_on_consuming(MPIStream_Channel channel, int* did);

/* combine.c */
int take_control(MPIStream stream, const char* message, int bytes, int source);
int finish_if_all_have_ended(MPIStream stream);
void free_reductions(MPIStream stream);

/* threshold.c */
int take_contribution(MPIStream stream, const char* message, int bytes, int position, int round);

/* progress.c */
int tag_of(const struct MPIStream_object* stream, stream_tag kind);
/* All that can be done for a channel without waiting. */
int go_on(MPIStream_Channel channel, int* did);
/* Goes on until `done(of, &error)`, which may set an error instead. */
typedef int is_done(void* of, int* error);
/* MPI_Allreduce for the largest numbers, which sees to what comes. */
int most_of_all(MPIStream_Channel channel, const int* own, int* most, int count);
int go_on_until(MPIStream_Channel channel, is_done* done, void* of);
/* Sends packed bytes that are freed when they are gone. */
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
