/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum { is_whole, is_real, is_text, is_choice, is_late, is_flag } kind;

/* The words of a choice have the order of its enumeration. */
static const char* const io_words[] = {"none", "stream", "shared", NULL};
static const char* const convergence_words[] = {"none", "threshold", "allreduce", NULL};

static const options usual = {.particles = 100000,
                              .steps = 100,
                              .seed = 1,
                              .time_step = 0.05,
                              .temperature = 0.25,
                              .electric_strength = 0.5,
                              .threshold = 11,
                              .consumers = 1,
                              .io = -1,
                              .buffer = 4096,
                              .tolerance = 1e-6,
                              .slow = {.mover = -1}};

static const struct option {
  const char* name;
  const char* argument;
  kind of;
  size_t where; /* offset in options */
  double least, most;
  const char* const* words;
  const char* help;
} known[] = {
#define AT(member) offsetof(options, member)
    {"particles", "N", is_whole, AT(particles), 1, 1e9, NULL, "number of particles (100000)"},
    {"steps", "N", is_whole, AT(steps), 1, 1e7, NULL, "number of steps (100)"},
    {"seed", "N", is_whole, AT(seed), 0, 1e15, NULL,
     "seed of the first positions and velocities (1)"},
    {"time-step", "T", is_real, AT(time_step), 1e-6, 1, NULL, "time between two steps (0.05)"},
    {"temperature", "T", is_real, AT(temperature), 0, 100, NULL,
     "temperature at the beginning (0.25)"},
    {"electric", "E", is_real, AT(electric_strength), 0, 100, NULL,
     "strength of the electric field (0.5)"},
    {"threshold", "E", is_real, AT(threshold), 0, 1e300, NULL,
     "tag particles whose energy has exceeded E, and put\n"
     "them out in each step from then on (11)"},
    {"consumers", "N", is_whole, AT(consumers), 0, 1e6, NULL,
     "the last N ranks consume, the others move (1)"},
    {"io", "WAY", is_choice, AT(io), 0, 0, io_words,
     "who writes: none, stream (the consumers) or shared (each\nmover) (stream, if there is an "
     "--output)"},
    {"output", "FILE", is_text, AT(output), 0, 0, NULL,
     "file for records of tagged particles, 8 doubles each"},
    {"buffer", "N", is_whole, AT(buffer), 1, 1 << 24, NULL,
     "number of records written together (4096)"},
    {"convergence", "WAY", is_choice, AT(convergence), 0, 0, convergence_words,
     "how movers agree that a step is exact enough: none (no\ncorrections), threshold or allreduce "
     "(none)"},
    {"tolerance", "T", is_real, AT(tolerance), 0, 1, NULL,
     "correct until the mean correction is at most T (1e-6)"},
    {"slow", "WHO:MS", is_late, AT(slow), 0, 0, NULL,
     "delay mover number WHO by MS milliseconds in each step;\n"
     "if WHO is `turn`, another mover in each test of\nconvergence"},
    {"monitor", "FILE", is_text, AT(monitor), 0, 0, NULL,
     "file for a line of JSON in each step, during the run"},
    {"imbalance-limit", "R", is_real, AT(imbalance_limit), 1, 1e6, NULL,
     "alert, and move boundaries, if a mover has more than R\n"
     "times the mean number of particles"},
    {"counters", NULL, is_flag, AT(counters), 0, 0, NULL, "also monitor hardware counters"},
    {"json", NULL, is_flag, AT(json), 0, 0, NULL, "print the summary as a line of JSON"},
    {"help", NULL, is_flag, AT(help), 0, 0, NULL, "print this help"}};
enum { known_count = sizeof known / sizeof *known };

/* Writes the lines of a help text in a column beside the name. */
static void write_aligned(const char* name, const char* help, FILE* to) {
  const char* beside = name;
  for (const char* line = help; *line != '\0';) {
    const size_t length = strcspn(line, "\n");
    fprintf(to, "  %-19s %.*s\n", beside, (int)length, line);
    line += length + (line[length] == '\n');
    beside = "";
  }
}

void write_help(FILE* to) {
  fputs(
      "Moves charged particles in the fields of a planet, and streams data of them with\n"
      "MPIStream.\n"
      "Usage: mpirun -n RANKS plasma [OPTION...]\n\n"
      "Options, with their defaults in brackets:\n",
      to);
  for (int i = 0; i != known_count; ++i) {
    char name[64];
    snprintf(name, sizeof name, "--%s %s", known[i].name,
             known[i].argument == NULL ? "" : known[i].argument);
    write_aligned(name, known[i].help, to);
  }
  fputs(
      "\nExit codes:\n"
      "  0  success\n"
      "  1  a failure during the run\n"
      "  2  wrong usage\n",
      to);
}

static int read_whole(const char* text, double least, double most, long* value) {
  char* end = NULL;
  errno = 0;
  *value = strtol(text, &end, 10);
  return end != text && *end == '\0' && errno == 0 && (double)*value >= least &&
         (double)*value <= most;
}

static int read_real(const char* text, double least, double most, double* value) {
  char* end = NULL;
  *value = strtod(text, &end);
  return end != text && *end == '\0' && *value >= least && *value <= most;
}

static int read_lateness(const char* text, lateness* value) {
  const char* const colon = strchr(text, ':');
  char who[32] = "";
  long mover = 0;
  if (colon == NULL || (size_t)(colon - text) >= sizeof who) return 0;
  memcpy(who, text, (size_t)(colon - text));
  if (!read_real(colon + 1, 0, 1e6, &value->seconds)) return 0;
  value->seconds /= 1000;
  const int in_turn = strcmp(who, "turn") == 0;
  if (!in_turn && !read_whole(who, 0, 1e6, &mover)) return 0;
  value->mover = in_turn ? -2 : (int)mover;
  return 1;
}

static int read_choice(const char* text, const char* const* words, int* value) {
  for (*value = 0; words[*value] != NULL; ++*value) {
    if (strcmp(text, words[*value]) == 0) return 1;
  }
  return 0;
}

static int read_value(const struct option* which, const char* text, options* said) {
  void* const to = (char*)said + which->where;
  switch (which->of) {
    case is_whole: return read_whole(text, which->least, which->most, to);
    case is_real: return read_real(text, which->least, which->most, to);
    case is_choice: return read_choice(text, which->words, to);
    case is_late: return read_lateness(text, to);
    case is_text: *(const char**)to = text; return *text != '\0';
    case is_flag: break;
  }
  return 0;
}

/* Describes the valid values of an option. */
static void describe(const struct option* which, char* text, size_t room) {
  switch (which->of) {
    case is_whole:
      snprintf(text, room, "a whole number from %.0f to %.0f", which->least, which->most);
      break;
    case is_real: snprintf(text, room, "a number from %g to %g", which->least, which->most); break;
    case is_choice:
      snprintf(text, room, "%s, %s or %s", which->words[0], which->words[1], which->words[2]);
      break;
    case is_late:
      snprintf(text, room, "a mover's number or `turn`, a colon, and milliseconds");
      break;
    case is_text: snprintf(text, room, "the name of a file"); break;
    case is_flag: snprintf(text, room, "no value"); break;
  }
}

static const struct option* find_option(const char* name, size_t length) {
  for (int i = 0; i != known_count; ++i) {
    if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
      return &known[i];
  }
  return NULL;
}

int read_options(int argc, char** argv, options* said, char* problem, size_t room) {
  *said = usual;
  for (int i = 1; i < argc; ++i) {
    const char* const word = argv[i];
    const size_t length = strcspn(word, "=");
    const struct option* const which =
        strncmp(word, "--", 2) == 0 && length > 2 ? find_option(word + 2, length - 2) : NULL;
    const char* value = word[length] == '=' ? word + length + 1 : NULL;
    if (which == NULL) {
      snprintf(problem, room, "unknown option '%.200s'; --help lists them", word);
      return 0;
    }
    if (which->of == is_flag && value == NULL) {
      *(int*)(void*)((char*)said + which->where) = 1;
      continue;
    }
    if (value == NULL && i + 1 < argc) value = argv[++i];
    if (value == NULL || !read_value(which, value, said)) {
      char wanted[200];
      describe(which, wanted, sizeof wanted);
      snprintf(problem, room, "--%s wants %s%s%.200s%s", which->name, wanted,
               value == NULL ? "" : ", not '", value == NULL ? "" : value,
               value == NULL ? "" : "'");
      return 0;
    }
  }
  if (said->io < 0) said->io = said->output == NULL ? output_none : output_stream;
  return 1;
}

int check_options(const options* said, int ranks, char* problem, size_t room) {
  const char* why = NULL;
  const int streams = said->io == output_stream || said->convergence == convergence_threshold ||
                      said->monitor != NULL || said->imbalance_limit != 0;
  if (said->consumers >= ranks) {
    snprintf(problem, room,
             "%d rank%s and --consumers %ld: no rank is left to move particles; start more ranks",
             ranks, ranks == 1 ? "" : "s", said->consumers);
    return 0;
  }
  if (said->io != output_none && said->output == NULL)
    why = "--io stream and --io shared need --output FILE";
  else if (said->io == output_none && said->output != NULL)
    why = "--output goes with --io stream or --io shared";
  else if (streams && said->consumers == 0)
    why =
        "--consumers 0: --io stream, --convergence threshold, --monitor and --imbalance-limit need "
        "a consumer";
  else if (said->counters && said->monitor == NULL)
    why = "--counters needs --monitor FILE";
  else if (said->slow.mover != -1 && said->convergence == convergence_none)
    why = "--slow needs --convergence threshold or allreduce";
  else if (said->slow.mover >= ranks - said->consumers)
    why = "--slow names a mover that does not exist";
  if (why == NULL) return 1;
  snprintf(problem, room, "%s", why);
  return 0;
}
