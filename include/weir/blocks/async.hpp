// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/coroutine.hpp"
#include "weir/blocks/node.hpp"
#include "weir/detail/blocks/shape.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/export.hpp"

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

class operations;

/// One operation of an asynchronous node. The node reuses the object for one item after another.
class WEIR_API operation {
 public:
  operation() = default;
  operation(const operation&) = delete;
  operation& operator=(const operation&) = delete;
  virtual ~operation() = default;

  /// Moves the item out of its slot and runs until the coroutine suspends or has ended.
  virtual void begin(void* item) = 0;
  /// Returns the result. The caller moves the result on and destroys it.
  virtual void* take_result() noexcept = 0;

  /// Called on the thread that has ended the coroutine, after the coroutine's frame is destroyed.
  void finished() noexcept;

  /// Destroys the result if nobody has taken it.
  virtual void drop_result() noexcept = 0;

  std::exception_ptr problem;  ///< the exception of the operation, if it has one instead of a result
  std::stop_token stopping;    ///< stop token of the node
  std::shared_ptr<operations> of;
  std::vector<tag::word> item_tag;  ///< tag of the item
  bool done = false;                ///< whether the node knows that the operation has ended
};

/// Coroutine type of an operation. It destroys its own frame, and with the frame all that the
/// operation holds, before it reports that the operation has ended.
struct detached {
  struct promise_type {
    template <class F>
    promise_type(F&, operation& in_hand) noexcept : of(&in_hand) {}
    detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    struct end {
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<promise_type> ended) const noexcept {
        operation* const one = ended.promise().of;
        ended.destroy();
        one->finished();
      }
      void await_resume() const noexcept {}
    };
    end final_suspend() const noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() noexcept { of->problem = std::current_exception(); }

    operation* of;
  };
};

template <class F, class In>
decltype(auto) begin_with(F& f, In&& item, const std::stop_token& stopping) {
  if constexpr (std::invocable<F&, In, std::stop_token>) {
    return f(std::forward<In>(item), stopping);
  } else {
    return f(std::forward<In>(item));
  }
}

template <class Awaitable>
decltype(auto) awaiter_of(Awaitable&& what) {
  if constexpr (requires { std::forward<Awaitable>(what).operator co_await(); }) {
    return std::forward<Awaitable>(what).operator co_await();
  } else if constexpr (requires { operator co_await(std::forward<Awaitable>(what)); }) {
    return operator co_await(std::forward<Awaitable>(what));
  } else {
    return std::forward<Awaitable>(what);
  }
}

template <class F, class In>
concept begins_with = std::invocable<F&, In> || std::invocable<F&, In, std::stop_token>;

template <class F, class In>
concept awaitable = begins_with<F, In> && requires(F& f, In item, const std::stop_token& stopping) {
  awaiter_of(begin_with(f, std::move(item), stopping)).await_resume();
};

template <class F, class In>
using awaited_of = std::remove_cvref_t<decltype(awaiter_of(begin_with(std::declval<F&>(), std::declval<In>(),
                                                                      std::declval<const std::stop_token&>()))
                                                    .await_resume())>;

// Holds the item until the coroutine has ended.
template <class In>
class item_in_hand {
 public:
  void take(void* item) { ::new (static_cast<void*>(place_)) In(std::move(*static_cast<In*>(item))); }
  In& get() noexcept { return *std::launder(reinterpret_cast<In*>(place_)); }

  void drop() noexcept { std::destroy_at(&get()); }

  struct until_the_end {
    item_in_hand& held;
    ~until_the_end() { held.drop(); }
  };

 private:
  alignas(In) std::byte place_[sizeof(In)];
};

// Holds the result of an operation until the node takes it.
template <class Out>
class result_in_hand {
 public:
  void put(Out&& made) {
    ::new (static_cast<void*>(place_)) Out(std::move(made));
    is_there_ = true;
  }
  void* take() noexcept {
    is_there_ = false;
    return std::launder(reinterpret_cast<Out*>(place_));
  }
  void drop() noexcept {
    if (is_there_) std::destroy_at(static_cast<Out*>(take()));
  }

 private:
  bool is_there_ = false;
  alignas(Out) std::byte place_[sizeof(Out)];
};

template <>
class result_in_hand<void> {
 public:
  void* take() noexcept { return nullptr; }
  void drop() noexcept {}
};

template <class F, class In, class Out>
class operation_of final : public operation {
 public:
  static_assert(fits_frame<Out>,
                "weir: a coroutine can't make what needs this alignment, because its frame has less; "
                "let it make a std::unique_ptr");

  explicit operation_of(std::shared_ptr<F> f) noexcept : f_(std::move(f)) {}
  ~operation_of() override { result_.drop(); }

  void begin(void* item) override {
    item_.take(item);
    try {
      run(*f_, *this);
    } catch (...) {  // there was no memory for the coroutine's frame
      item_.drop();
      throw;
    }
  }
  void* take_result() noexcept override { return result_.take(); }
  void drop_result() noexcept override { result_.drop(); }

 private:
  static detached run(F& f, operation_of& self) {
    const typename item_in_hand<In>::until_the_end held{self.item_};
    if constexpr (std::is_void_v<Out>) {
      co_await begin_with(f, std::move(self.item_.get()), self.stopping);
    } else {
      Out made = co_await begin_with(f, std::move(self.item_.get()), self.stopping);
      self.result_.put(std::move(made));
    }
  }

  const std::shared_ptr<F> f_;
  item_in_hand<In> item_;
  result_in_hand<Out> result_;
};

/// @param prototype the function, kept by the shape. Each node gets a copy if the function can be
/// copied.
struct async_functions {
  const item_type* in;
  const item_type* out;  ///< null: no output
  bool reusable;
  std::shared_ptr<void> (*copy)(const std::shared_ptr<void>& prototype);
  std::unique_ptr<operation> (*make)(const std::shared_ptr<void>& f);
};

template <class F>
std::shared_ptr<void> copy_of_function(const std::shared_ptr<void>& prototype) {
  if constexpr (std::is_copy_constructible_v<F>) {
    return std::make_shared<F>(*static_cast<const F*>(prototype.get()));
  } else {
    return prototype;
  }
}

template <class F, class In, class Out>
std::unique_ptr<operation> make_operation(const std::shared_ptr<void>& f) {
  return std::make_unique<operation_of<F, In, Out>>(std::static_pointer_cast<F>(f));
}

template <class Out>
const item_type* item_type_or_none() {
  if constexpr (std::is_void_v<Out>) {
    return nullptr;
  } else {
    return &item_type_of<Out>();
  }
}

/// @throws graph_error if `most` is 0 or more than a million
WEIR_API shape_pointer async_shape(const async_functions& functions, const std::shared_ptr<void>& prototype,
                                   std::size_t most);

// Whether a function of async has a public function with the name of a hook. Private members are
// not looked at: they are as likely to be data.
template <class F>
concept has_public_hook = has_public_start<F> || has_public_quiet<F> || has_public_finish<F> ||
                          has_public_on_deadline<F> || callable_with<by_start, F> || callable_with<by_quiet, F> ||
                          callable_with<by_finish, F> || callable_with<by_on_deadline, F>;

template <class F>
concept begins_with_item = deducible<F> && !std::is_void_v<typename deduced_node<F>::in>;

}  // namespace detail

/// A node that works on up to `most` items at the same time without one thread for each: `f(item)`
/// begins an operation and returns an object that a coroutine can await, such as a
/// `weir::coroutine<Out>`. While an operation waits, the node begins the next one. A coroutine runs
/// in the node until it first waits. From then on it runs on the thread that resumes it.
///
///     weir::async([&](request one) -> weir::coroutine<answer> { co_return co_await client.send(one); }, 100)
///
/// Results leave in the order in which the operations end. With `ordered`, and inside ordered
/// blocks, results leave in the order of their items. If the awaited type is `void`, the node is a
/// sink. `f` may take a `std::stop_token` after the item. One thread at a time calls `f`, but its
/// coroutines may run at the same time as `f`, on all the threads that resume them.
///
/// **Errors.** The node throws the exception that an operation throws: it becomes a `node_error`,
/// or the error of the request in a server. **End.** A run waits for all operations that have
/// begun, however the run ends, because the operations may use objects that `f` refers to. An
/// operation that may take long should check the stop token. Stop is requested when the run fails
/// or is cancelled, and when no consumer takes results any more. Results that have not been sent by
/// then are dropped. An asynchronous node in a loop is an error. Put the node before or behind the
/// loop.
/// @throws graph_error if `most` is 0 or more than a million
template <class In, class F>
auto async(F f, std::size_t most) {
  static_assert(
      !detail::has_public_hook<F>,
      "weir: the function of weir::async has no start, quiet, finish or on_deadline: they would not be called; "
      "if others call them, pass a lambda that calls the object");
  detail::check_returned<F>();
  static_assert(detail::begins_with<F, In>,
                "weir: the function of weir::async takes an item by value, const & or &&, and then nothing but a "
                "std::stop_token");
  static_assert(!detail::begins_with<F, In> || detail::awaitable<F, In>,
                "weir: the function of weir::async returns what a coroutine can await, such as a weir::coroutine<Out>; "
                "a function that returns its result is a weir::node");
  if constexpr (detail::awaitable<F, In>) {
    using out = detail::awaited_of<F, In>;
    const detail::async_functions functions{
        .in = &item_type_of<In>(),
        .out = detail::item_type_or_none<out>(),
        .reusable = std::is_copy_constructible_v<F>,
        .copy = detail::copy_of_function<F>,
        .make = detail::make_operation<F, In, out>,
    };
    return block<In, out>(detail::async_shape(functions, std::make_shared<F>(std::move(f)), most));
  } else {
    return detail::no_block{};
  }
}

template <class F>
auto async(F f, std::size_t most) {
  static_assert(detail::begins_with_item<F>, "weir: the item type can't be deduced: say weir::async<In>(f, most)");
  if constexpr (detail::begins_with_item<F>) {
    return async<typename detail::deduced_node<F>::in>(std::move(f), most);
  } else {
    return detail::no_block{};
  }
}

}  // namespace weir
