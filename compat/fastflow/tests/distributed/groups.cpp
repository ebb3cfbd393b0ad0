// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Usage: fastflow_groups NETWORK
//
// Networks that run in one process and in several: each sink prints what it has got, in lines that
// are the same in both. The configurations are beside this file. tests/cli/fastflow_groups.sh
// runs them.

#include <ff/dff.hpp>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace ff;

namespace {

// ---- figures 3, 4 and 5 of F2 ----

struct word {
  std::string key;
  std::uint64_t id, ts;

  template <class Archive>
  void serialize(Archive& ar) {
    ar(key, id, ts);
  }
};

struct SourceNode : ff_monode_t<word> {
  word* svc(word*) override {
    for (std::uint64_t i = 0; i != 1000; ++i) ff_send_out(new word{"word " + std::to_string(i), i, 1});
    return EOS;
  }
};
struct LeftNode : ff_monode_t<word> {
  word* svc(word* task) override {
    task->ts *= 2;
    ff_send_out_to(task, static_cast<int>(task->id % get_num_outchannels()));
    return GO_ON;
  }
};
struct RightNode : ff_minode_t<word> {
  word* svc(word* task) override {
    task->ts *= 3;
    return task;
  }
};
struct SinkNode : ff_minode_t<word> {
  word* svc(word* task) override {
    sum += task->ts * task->id;
    bytes += task->key.size();
    ++count;
    delete task;
    return GO_ON;
  }
  void eosnotify(ssize_t) override { ++ends; }
  void svc_end() override {
    ff::cout << "words " << count << ", sum " << sum << ", bytes " << bytes << ", ends " << ends << ff::endl;
  }
  std::uint64_t sum = 0, bytes = 0, count = 0, ends = 0;
};
struct EndNode : SinkNode {
  word* svc(word* task) override {
    task->ts *= 3;
    return SinkNode::svc(task);
  }
};

int figure_3(bool has_parts) {
  SourceNode S0;
  LeftNode S1;
  SinkNode S2;
  ff_pipeline pipe;
  pipe.add_stage(&S0);
  pipe.add_stage(&S1);
  pipe.add_stage(&S2);
  if (has_parts) {
    auto G1 = pipe.createGroup("G1");
    auto G2 = pipe.createGroup("G2");
    G1 << S0 << S1;
    G2 << S2;
  } else {
    S0.createGroup("G1");
    S1.createGroup("G2");
    S2.createGroup("G3");
  }
  return pipe.run_and_wait_end();
}

struct FirstNode : LeftNode {
  word* svc(word*) override {
    for (std::uint64_t i = 0; i != 300; ++i) LeftNode::svc(new word{"w", i, 1});
    return EOS;
  }
};

int figure_4(bool is_oblique) {
  FirstNode L1, L2, L3;
  EndNode R1, R2, R3, R4;
  ff_a2a a2a;
  a2a.add_firstset<FirstNode>({&L1, &L2, &L3});
  a2a.add_secondset<EndNode>({&R1, &R2, &R3, &R4});
  if (is_oblique) {
    auto G1 = a2a.createGroup("G1");
    a2a.createGroup("G2") << L3;
    a2a.createGroup("G3") << R3 << R4;
    G1 << L1 << L2 << R1 << R2;
  } else {
    a2a.createGroup("G1") << L1 << L2;
    a2a.createGroup("G2") << L3;
    a2a.createGroup("G3") << R1 << R2;
    a2a.createGroup("G4") << R3 << R4;
  }
  return a2a.run_and_wait_end();
}

int figure_5() {
  SourceNode Sc;
  LeftNode L1, L2;
  RightNode R1, R2, R3, R4;
  SinkNode Sk;
  ff_pipeline pipe;
  ff_a2a a2a;
  a2a.add_firstset<LeftNode>({&L1, &L2});
  a2a.add_secondset<RightNode>({&R1, &R2, &R3, &R4});
  pipe.add_stage(&Sc);
  pipe.add_stage(&a2a);
  pipe.add_stage(&Sk);
  auto G1 = Sc.createGroup("G1");
  auto G2 = a2a.createGroup("G2");
  G2 << L1 << R1 << R2;
  auto G3 = a2a.createGroup("G3");
  G3 << L2 << R3 << R4;
  auto G4 = Sk.createGroup("G4");
  return pipe.run_and_wait_end();
}

// ---- between groups, plain nodes have several producers and consumers ----

struct Maker : ff_node_t<word> {
  word* svc(word*) override { return next_ == 300 ? EOS : new word{"w", next_++, 1}; }
  std::uint64_t next_ = 0;
};
struct PlainNode : ff_node_t<word> {
  word* svc(word* task) override { return task; }
};

int plain_nodes() {
  Maker first, second;
  PlainNode passes[2];
  PlainNode takes[3];
  SinkNode sink;
  ff_a2a makers, takers;
  makers.add_firstset<Maker>({&first, &second});
  makers.add_secondset<PlainNode>({&passes[0], &passes[1]});
  takers.add_firstset<PlainNode>({&takes[0], &takes[1], &takes[2]});
  takers.add_secondset<SinkNode>({&sink});
  ff_pipeline pipe;
  pipe.add_stage(&makers);
  pipe.add_stage(&takers);
  makers.createGroup("G1");
  takers.createGroup("G2");
  return pipe.run_and_wait_end();
}

// ---- feedback through another process ----

// Left nodes send each number to all right ones in turn; these send them back, until each has gone
// round ten times.
struct Rounds : ff_monode_t<long> {
  static constexpr long tasks = 20;
  static constexpr long rounds = 10;
  long* svc(long* task) override {
    if (task == nullptr) {
      for (long i = 0; i != tasks; ++i) ff_send_out_to(new long(0), static_cast<int>(i) % 2);
      return GO_ON;
    }
    sum += *task;
    if (*task < rounds) {
      ff_send_out_to(task, static_cast<int>(*task) % 2);
      return GO_ON;
    }
    delete task;
    return ++done == tasks ? EOS : GO_ON;
  }
  void svc_end() override { ff::cout << "rounds, sum " << sum << ff::endl; }
  long sum = 0;
  long done = 0;
};
// A task knows its way home by the channel on which it came.
struct Back : ff_minode_t<long> {
  long* svc(long* task) override {
    ++*task;
    return task;
  }
};
struct Home : ff_monode_t<long> {
  explicit Home(const Back& from) : from_(from) {}
  long* svc(long* task) override {
    ff_send_out_to(task, static_cast<int>(from_.get_channel_id()));
    return GO_ON;
  }
  const Back& from_;
};
struct Pass : ff_minode_t<long> {
  long* svc(long* task) override { return task; }
};

int loop() {
  Rounds L1, L2;
  Pass P1, P2;
  Back B1, B2;
  Home H1(B1), H2(B2);
  ff_comb C1(P1, L1), C2(P2, L2), R1(B1, H1), R2(B2, H2);
  ff_a2a a2a;
  a2a.add_firstset<ff_node>({&C1, &C2});
  a2a.add_secondset<ff_node>({&R1, &R2});
  a2a.wrap_around();
  a2a.createGroup("G1") << &C1 << &R1;
  a2a.createGroup("G2") << &C2 << &R2;
  return a2a.run_and_wait_end();
}

// ---- tasks with functions of their own ----

constexpr std::size_t MAXWORD = 16;

// Figure 7 of F2.
struct data_t {
  char key[MAXWORD];
  std::uint64_t id, ts;
};
template <class Pair>
void serialize(Pair& p, data_t* d) {
  p = {(char*)d, sizeof(data_t)};
}
template <class Pair>
void deserialize(const Pair& p, data_t*& d) {
  d = new (p.ptr) data_t;
}

// A head and its letters in one piece of memory.
struct letters {
  std::size_t count = 0;
  char* first = nullptr;
};
letters* new_letters(std::size_t count) {
  auto* const made = new (std::calloc(1, sizeof(letters) + count)) letters;
  made->count = count;
  made->first = reinterpret_cast<char*>(made + 1);
  std::memset(made->first, 'x', count);
  return made;
}
template <class Buffer>
bool serialize(Buffer& to, letters* task) {
  to = {reinterpret_cast<char*>(task), sizeof(letters) + task->count};
  return false;
}
template <class T>
void serializefreetask(T* memory, letters*) {
  std::free(memory);
}
template <class Buffer>
void deserializealloctask(const Buffer& from, letters*& task) {
  task = new (from.first) letters;
}
template <class Buffer>
bool deserialize(const Buffer& from, letters* task) {
  task->count = from.second - sizeof(letters);
  task->first = reinterpret_cast<char*>(task + 1);
  return false;
}

struct text {
  std::string all;

  serializedBuffer_t serialize() {
    auto* const copy = static_cast<char*>(std::malloc(all.size() + 1));
    std::memcpy(copy, all.data(), all.size());
    return {copy, all.size(), true};
  }
  bool deserialize(char* data, std::size_t size) {
    all.assign(data, size);
    return true;
  }
  static text* alloc(char*, std::size_t) { return new text; }
  static void freeTask(text* task) { delete task; }
};

struct DataSource : ff_node_t<data_t> {
  data_t* svc(data_t*) override {
    if (next_ == 100) return EOS;
    auto* const made = new (std::malloc(sizeof(data_t))) data_t;
    std::strcpy(made->key, "key");
    made->id = ++next_;
    made->ts = 0;
    return made;
  }
  std::uint64_t next_ = 0;
};
struct ToLetters : ff_node_t<data_t, letters> {
  letters* svc(data_t* task) override {
    letters* const made = new_letters(task->id);
    std::free(task);
    return made;
  }
};
struct ToText : ff_node_t<letters, text> {
  text* svc(letters* task) override {
    auto* const made = new text{{task->first, task->count}};
    std::free(task);
    return made;
  }
};
struct TextSink : ff_node_t<text> {
  text* svc(text* task) override {
    ++count_;
    letters_ += task->all.size();
    are_all_x_ = are_all_x_ && task->all.find_first_not_of('x') == task->all.npos;
    delete task;
    return GO_ON;
  }
  void svc_end() override {
    ff::cout << "texts " << count_ << ", letters " << letters_ << (are_all_x_ ? ", all x" : ", wrong ones") << ff::endl;
  }
  std::size_t count_ = 0, letters_ = 0;
  bool are_all_x_ = true;
};

int own_bytes() {
  DataSource first;
  ToLetters second;
  ToText third;
  TextSink last;
  ff_Pipe<> pipe(first, second, third, last);
  first.createGroup("G1");
  second.createGroup("G2");
  third.createGroup("G3");
  last.createGroup("G4");
  return pipe.run_and_wait_end();
}

// ---- one task for several consumers, some of them in another process ----

struct Broadcaster : ff_monode_t<std::string> {
  std::string* svc(std::string*) override {
    for (int i = 0; i != 50; ++i) broadcast_task(new std::string(static_cast<std::size_t>(i), 'b'));
    return EOS;
  }
};
struct Reader : ff_minode_t<std::string> {
  std::string* svc(std::string* task) override {  // does not own the task: other readers have it, too
    ++count_;
    bytes_ += task->size();
    return GO_ON;
  }
  void svc_end() override { ff::cout << "read " << count_ << ", bytes " << bytes_ << ff::endl; }
  std::size_t count_ = 0, bytes_ = 0;
};

int broadcast() {
  Broadcaster first, second;
  Reader one, two, three;
  ff_a2a a2a;
  a2a.add_firstset<Broadcaster>({&first, &second});
  a2a.add_secondset<Reader>({&one, &two, &three});
  a2a.createGroup("G1") << first << one << two;
  a2a.createGroup("G2") << second << three;
  return a2a.run_and_wait_end();
}

// ---- farms ----

struct Numbers : ff_node_t<long> {
  long* svc(long*) override { return next_ == 2000 ? EOS : new long(next_++); }
  long next_ = 0;
};
struct Twice : ff_node_t<long> {
  long* svc(long* task) override {
    *task *= 2;
    return task;
  }
};
struct InOrder : ff_node_t<long> {
  long* svc(long* task) override {
    is_in_order_ = is_in_order_ && *task == 2 * next_++;
    delete task;
    return GO_ON;
  }
  void svc_end() override {
    ff::cout << "numbers " << next_ << (is_in_order_ ? " in order" : " out of order") << ff::endl;
  }
  long next_ = 0;
  bool is_in_order_ = true;
};

int ordered_farm(bool is_on_demand) {
  Numbers emitter;
  Twice one, two, three;
  InOrder collector;
  ff_farm farm;
  farm.add_emitter(&emitter);
  farm.add_workers({&one, &two, &three});
  farm.add_collector(&collector);
  farm.set_ordered();
  if (is_on_demand) farm.set_scheduling_ondemand(2);
  createGroup("G1") << emitter << one << collector;
  createGroup("G2") << two << three;
  return farm.run_and_wait_end();
}

// ---- mistakes ----

struct pointers {
  int* to;
};
struct PointerNode : ff_node_t<pointers> {
  pointers* svc(pointers*) override { return EOS; }
};

int wrong(const std::string& how) {
  Numbers first;
  Twice second;
  InOrder third;
  PointerNode from, to;
  ff_Pipe<> pipe(first, second, third);
  ff_Pipe<> untold(from, to);
  if (how == "twice") {
    first.createGroup("G1");
    second.createGroup("G1");
    third.createGroup("G2");
  } else if (how == "two_groups") {
    auto one = pipe.createGroup("G1");
    auto other = pipe.createGroup("G2");
    one << first << second;
    other << second << third;
  } else if (how == "two_from_one") {
    first.createGroup("G1");
    first.createGroup("G2");
    createGroup("G1") << second << third;
  } else if (how == "in_none") {
    pipe.createGroup("G1") << first;
    pipe.createGroup("G2") << second;
  } else {
    from.createGroup("G1");
    to.createGroup("G2");
    return untold.run_and_wait_end();
  }
  return pipe.run_and_wait_end();
}

// Goes on until standard input ends.
int until_input_ends() {
  struct Reads : ff_node_t<long> {
    long* svc(long*) override { return std::getchar() == EOF ? this->EOS : new long(1); }
  };
  struct Drops : ff_node_t<long> {
    long* svc(long* task) override {
      delete task;
      return GO_ON;
    }
  };
  Reads source;
  Drops sink;
  ff_Pipe<> pipe(source, sink);
  return pipe.run_and_wait_end();
}

}  // namespace

int main(int argc, char** argv) {
  if (DFF_Init(argc, argv) < 0) return 2;
  const std::map<std::string, std::function<int()>> networks{
      {"figure_3_top", [] { return figure_3(true); }},
      {"figure_3_bottom", [] { return figure_3(false); }},
      {"figure_4_left", [] { return figure_4(false); }},
      {"figure_4_right", [] { return figure_4(true); }},
      {"figure_5", figure_5},
      {"plain_nodes", plain_nodes},
      {"until_input_ends", until_input_ends},
      {"loop", loop},
      {"own_bytes", own_bytes},
      {"broadcast", broadcast},
      {"ordered_farm", [] { return ordered_farm(false); }},
      {"ordered_farm_on_demand", [] { return ordered_farm(true); }},
      {"my_group", [] { return ff::cout << "group " << DFF_getMyGroup() << ff::endl, figure_5(); }}};
  const std::string name = argc == 2 ? argv[1] : "";
  const auto found = networks.find(name);
  return (found != networks.end() ? found->second() : wrong(name)) < 0 ? 1 : 0;
}
