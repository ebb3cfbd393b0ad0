// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_COMB_HPP
#define WEIR_FF_DETAIL_COMB_HPP

#include <weir/export.hpp>

#include <ff/multinode.hpp>

namespace ff {
namespace detail {

template <class T1, class T2>
constexpr bool both_nodes =
    std::is_base_of_v<ff_node, std::remove_const_t<T1>> && std::is_base_of_v<ff_node, std::remove_const_t<T2>>;

/// Returns a variable itself, and a copy of a constant.
template <class T>
ff_node* kept(T& node) {
  return &node;
}
template <class T>
ff_node* kept(const T& node) {
  return new T(node);
}

}  // namespace detail

/// Two nodes as one: what the first one sends, the second one gets at once, on the same thread.
class WEIR_API ff_comb : public ff_minode {
 public:
  /// The nodes are not owned, but those that `cleanup` says.
  ff_comb(ff_node* first, ff_node* last, bool cleanup_first = false, bool cleanup_last = false);
  /// Nodes that are variables are not owned; of constants and temporaries it has copies.
  template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
  ff_comb(T1& first, T2& last)
      : ff_comb(detail::kept(first), detail::kept(last), std::is_const_v<T1>, std::is_const_v<T2>) {}
  template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
  ff_comb(T1& first, const T2& last) : ff_comb(detail::kept(first), detail::kept(last), std::is_const_v<T1>, true) {}
  template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
  ff_comb(const T1& first, T2& last) : ff_comb(detail::kept(first), detail::kept(last), true, std::is_const_v<T2>) {}
  template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
  ff_comb(const T1& first, const T2& last) : ff_comb(detail::kept(first), detail::kept(last), true, true) {}
  /// Takes the nodes that `other` owns.
  ff_comb(const ff_comb& other);
  ~ff_comb() override;

  void* svc(void* task) override;
  int svc_init() override;
  void svc_end() override;
  void eosnotify(ssize_t input = -1) override;

  bool isMultiInput() const override { return first_->isMultiInput(); }
  bool isMultiOutput() const override { return last_->isMultiOutput(); }
  bool isComp() const override { return true; }

  ff_node* getLeft() const { return first_; }
  ff_node* getRight() const { return last_; }
  ff_node* getFirst() const;
  ff_node* getLast() const;
  ff_node* changeFirst(ff_node* first, bool cleanup = false);
  ff_node* changeLast(ff_node* last, bool cleanup = false);

  void set_id(ssize_t id) override;

 private:
  friend class detail::lowering;
  friend class ff_farm;
  class between;

  void hear_each_end();

  ff_node* first_;
  ff_node* last_;
  mutable bool owns_first_;
  mutable bool owns_last_;
  bool hears_each_end_ = false;       // emitter of a farm: `eosnotify` gets -1 once for each input
  std::unique_ptr<between> between_;  // the place of the first node while they run
};

/// A node with one input as one with several.
class WEIR_API internal_mi_transformer : public ff_comb {
 public:
  explicit internal_mi_transformer(ff_node* node, bool cleanup = false);
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  explicit internal_mi_transformer(const T& node) : internal_mi_transformer(new T(node), true) {}
};

/// A node with one consumer as one with several.
class WEIR_API internal_mo_transformer : public ff_comb {
 public:
  explicit internal_mo_transformer(ff_node* node, bool cleanup = false);
  template <typename T, std::enable_if_t<std::is_base_of_v<ff_node, T>, int> = 0>
  explicit internal_mo_transformer(const T& node) : internal_mo_transformer(new T(node), true) {}
};

using mi_transformer = internal_mi_transformer;
using mo_transformer = internal_mo_transformer;

/// ff_comb with the types of its nodes.
template <typename TIN, typename T, typename TOUT>
struct ff_comb_t : ff_comb, detail::sentinels<TOUT> {
  typedef TIN in_type;
  typedef T mid_type;
  typedef TOUT out_type;
  template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
  ff_comb_t(T1& first, T2& last) : ff_comb(first, last) {}
  template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
  ff_comb_t(T1* first, T2* last, bool cleanup_first = false, bool cleanup_last = false)
      : ff_comb(first, last, cleanup_first, cleanup_last) {}
};

template <typename T1, typename T2>
ff_comb_t(T1*, T2*, bool = false, bool = false)
    -> ff_comb_t<typename T1::in_type, typename T1::out_type, typename T2::out_type>;

/// Combines two nodes. Those that are variables must live as long as the result; of constants and
/// temporaries it has copies.
template <typename T1, typename T2>
const ff_comb combine_nodes(T1& first, T2& last) {
  return ff_comb(first, last);
}
template <typename T1, typename T2>
const ff_comb combine_nodes(T1& first, const T2& last) {
  return ff_comb(first, last);
}
template <typename T1, typename T2>
const ff_comb combine_nodes(const T1& first, T2& last) {
  return ff_comb(first, last);
}
template <typename T1, typename T2>
const ff_comb combine_nodes(const T1& first, const T2& last) {
  return ff_comb(first, last);
}

/// Same as above, on the heap.
template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
std::unique_ptr<ff_node> unique_combine_nodes(T1& first, T2& last) {
  return std::make_unique<ff_comb>(first, last);
}
template <typename T1, typename T2, std::enable_if_t<detail::both_nodes<T1, T2>, int> = 0>
std::unique_ptr<ff_node> unique_combine_nodes(const T1& first, const T2& last) {
  return std::make_unique<ff_comb>(first, last);
}
/// Combines two nodes. The result owns them.
template <typename T1, typename T2>
std::unique_ptr<ff_node> unique_combine_nodes(std::unique_ptr<T1>&& first, std::unique_ptr<T2>&& last) {
  return std::make_unique<ff_comb>(first.release(), last.release(), true, true);
}
template <typename T1, typename T2>
std::unique_ptr<ff_node> unique_combine_nodes(std::unique_ptr<T1>& first, std::unique_ptr<T2>& last) {
  return unique_combine_nodes(std::move(first), std::move(last));
}

}  // namespace ff

#endif
