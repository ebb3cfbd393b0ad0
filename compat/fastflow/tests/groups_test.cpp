// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <ff/dff.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// The tasks of distributed programs as bytes. tests/cli/fastflow_groups.sh runs such programs.

namespace {

using ff::detail::type_of_task;

weir::buffer encoded(const weir::item_type& type, void* task) {
  weir::byte_sink out;
  type.codec()->encode(&task, out);
  return std::move(out).joined();
}

void* decoded(const weir::item_type& type, const weir::buffer& bytes) {
  weir::byte_source in(bytes);
  void* task = nullptr;
  type.codec()->decode(&task, in);
  EXPECT_EQ(in.left(), 0U);
  return task;
}

template <class T>
std::unique_ptr<T> there_and_back(T* task) {
  const weir::item_type& type = *type_of_task<T>();
  return std::unique_ptr<T>(static_cast<T*>(decoded(type, encoded(type, task))));
}

struct counted_text {
  counted_text() { ++alive; }
  explicit counted_text(std::string made) : all(std::move(made)) { ++alive; }
  ~counted_text() { --alive; }
  template <class Archive>
  void serialize(Archive& archive) {
    archive(all);
  }
  std::string all;
  static inline int alive = 0;
};

TEST(tasks_as_bytes, by_cereal) {
  {
    const auto found = there_and_back(new counted_text("words"));
    EXPECT_EQ(found->all, "words");
    EXPECT_EQ(counted_text::alive, 1) << "the original was not freed";
  }
  EXPECT_EQ(counted_text::alive, 0);
  EXPECT_EQ(*there_and_back(new long(7)), 7);
  EXPECT_EQ(*there_and_back(new std::vector<std::string>{"a", "b"}), (std::vector<std::string>{"a", "b"}));
}

// Its bytes as they lie would be a pointer into another process.
struct letters_elsewhere {
  std::size_t count = 0;
  char* first = nullptr;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(count);
    if (first == nullptr) first = static_cast<char*>(std::malloc(count));
    archive(cereal::binary_data(first, count));
  }
};

TEST(tasks_as_bytes, by_cereal_also_if_they_can_be_copied_as_they_lie) {
  static_assert(std::is_trivially_copyable_v<letters_elsewhere>);
  char own[] = "text";
  const auto found = there_and_back(new letters_elsewhere{sizeof own, own});
  ASSERT_NE(found->first, own);
  EXPECT_STREQ(found->first, "text");
  std::free(found->first);
}

TEST(tasks_as_bytes, reserved_values_stay_as_they_are) {
  const weir::item_type& type = *type_of_task<long>();
  for (void* const each : {ff::FF_EOS, ff::FF_EOS_NOFREEZE, ff::FF_EOSW, ff::FF_GO_ON, ff::FF_FLUSH}) {
    const weir::buffer bytes = encoded(type, each);
    EXPECT_EQ(bytes.size(), 1U);
    EXPECT_EQ(decoded(type, bytes), each);
  }
}

TEST(tasks_as_bytes, wrong_bytes_are_errors) {
  const weir::item_type& type = *type_of_task<std::string>();
  EXPECT_THROW(decoded(type, weir::buffer(std::string_view("\xff", 1))), weir::codec_error);
  EXPECT_THROW(decoded(type, weir::buffer(std::string_view())), weir::codec_error);
  const weir::buffer whole = encoded(type, new std::string("some text"));
  for (std::size_t size = 1; size != whole.size(); ++size)
    EXPECT_THROW(decoded(type, whole.slice(0, size)), weir::codec_error) << size;
}

struct has_no_function {
  int* to;
};

TEST(tasks_as_bytes, only_of_types_that_can_be_serialized) {
  EXPECT_EQ(type_of_task<has_no_function>()->codec(), nullptr);
  EXPECT_EQ(type_of_task<void>(), nullptr);
  EXPECT_NE(type_of_task<long>()->codec(), nullptr);
}

// ---- functions of their own ----

struct lent {
  std::string all;
  static inline int released = 0;
  static inline int freed = 0;

  ff::serializedBuffer_t serialize() {
    return {all.data(), all.size(), false, this, [](void* owner, char*, std::size_t) {
              ++released;
              delete static_cast<lent*>(owner);
            }};
  }
  bool deserialize(char* data, std::size_t size) {
    all.assign(data, size);
    return true;
  }
  static void freeTask(lent* task) {
    ++freed;
    delete task;
  }
};

TEST(tasks_as_bytes, their_owner_releases_lent_bytes) {
  lent::released = lent::freed = 0;
  const auto found = there_and_back(new lent{"lent"});
  EXPECT_EQ(found->all, "lent");
  EXPECT_EQ(lent::released, 1);
  EXPECT_EQ(lent::freed, 0);
}

struct in_a_tuple {
  std::string all;
  std::tuple<char*, std::size_t, bool> serialize() {
    char* const copy = static_cast<char*>(std::malloc(all.size() + 1));
    std::memcpy(copy, all.data(), all.size());
    return {copy, all.size(), true};
  }
  bool deserialize(char* data, std::size_t size) {
    all.assign(data, size);
    return true;
  }
};

TEST(tasks_as_bytes, in_a_tuple) { EXPECT_EQ(there_and_back(new in_a_tuple{"of three"})->all, "of three"); }

struct plain {
  std::uint64_t id, time;
};
template <class Pair>
void serialize(Pair& to, plain* task) {
  to = {reinterpret_cast<char*>(task), sizeof(plain)};
}
template <class Pair>
void deserialize(const Pair& from, plain*& task) {
  task = new (from.first) plain;
}
int plain_tasks_freed = 0;
template <class T>
void serializefreetask(T* memory, plain*) {
  ++plain_tasks_freed;
  std::free(memory);
}

TEST(tasks_as_bytes, by_functions_that_make_the_task_in_the_bytes) {
  plain_tasks_freed = 0;
  const weir::item_type& type = *type_of_task<plain>();
  const weir::buffer bytes = encoded(type, new (std::malloc(sizeof(plain))) plain{3, 4});
  EXPECT_EQ(plain_tasks_freed, 1);
  auto* const found = static_cast<plain*>(decoded(type, bytes));
  EXPECT_EQ(found->id, 3U);
  EXPECT_EQ(found->time, 4U);
  std::free(found);
}

TEST(output_of_groups, has_no_prefix_outside_of_groups) {
  testing::internal::CaptureStdout();
  ff::cout << "one " << 1 << ff::endl << "two";
  ff::cout.flush();
  ff::cout << "\n";
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one 1\ntwo\n");
  EXPECT_EQ(ff::DFF_getMyGroup(), "");
}

TEST(arguments_of_groups, are_taken_out) {
  std::string all[] = {"program", "a", "--DFF_PrintGroup", "b"};
  char* pointers[] = {all[0].data(), all[1].data(), all[2].data(), all[3].data(), nullptr};
  char** argv = pointers;
  int argc = 4;
  ASSERT_EQ(ff::DFF_Init(argc, argv), 0);
  EXPECT_EQ(argc, 3);
  EXPECT_STREQ(argv[1], "a");
  EXPECT_STREQ(argv[2], "b");
  EXPECT_EQ(argv[3], nullptr);
  ASSERT_EQ(ff::DFF_Init(argc, argv), 0);  // without the option
  EXPECT_EQ(argc, 3);
}

TEST(arguments_of_groups, stay_as_they_are_after_a_mistake) {
  for (const char* const wrong : {"--DFF_Wrong", "--DFF_GName"}) {
    std::string all[] = {"program", "--DFF_PrintGroup", "a", wrong};
    char* pointers[] = {all[0].data(), all[1].data(), all[2].data(), all[3].data(), nullptr};
    char** argv = pointers;
    int argc = 4;
    EXPECT_EQ(ff::DFF_Init(argc, argv), -1);
    EXPECT_EQ(argc, 4);
    EXPECT_STREQ(argv[1], "--DFF_PrintGroup");
    EXPECT_STREQ(argv[3], wrong);
  }
}

}  // namespace
