// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ff/all2all.hpp>
#include <ff/combine.hpp>

#include <cstddef>
#include <vector>

namespace ff::detail {

/// Whether the node consists of others that run by themselves. A combination does not.
inline bool is_block(const ff_node& node) { return node.isPipe() || node.isFarm() || node.isAll2All(); }

/// Changes the parts of blocks, and who deletes them. It has access to the private members of the
/// blocks, for the whole of the library.
class transformation {
 public:
  static svector<ff_node*>& stages(ff_pipeline& pipe) { return pipe.stages_; }
  /// Puts `other` in the place of the stage. The pipeline owns `other`, and `stage` as before.
  static void put_for(ff_pipeline& pipe, std::size_t stage, ff_node* other);

  // A node in an other place must not fall under the flags `cleanup_…` of that place. So each
  // transformation of a block first notes the nodes that its flags mean.
  static void note_owned(ff_farm& farm);
  static void note_owned(ff_pipeline& pipe);
  /// @return whether the node was among those owned
  static bool take_from(std::vector<ff_node*>& owned, ff_node* node) { return std::erase(owned, node) != 0; }

  /// The farm deletes the node in the end.
  static void own(ff_farm& farm, ff_node* node) { farm.owned_.push_back(node); }
  static bool has_default_collector(const ff_farm& farm) { return farm.has_collector_ && farm.collector_ == nullptr; }
  static bool has_own_scheduling(const ff_farm& farm);

  /// A farm without workers that has the emitter and the settings of the first farm, and the
  /// collector of the second.
  static ff_farm frame_of(ff_farm& first, ff_farm& second);
  /// An all-to-all of the given nodes, in place of the workers of both farms.
  static ff_a2a* all_to_all(ff_farm& first, ff_farm& second, const std::vector<ff_node*>& left, bool owns_left,
                            const std::vector<ff_node*>& right, bool owns_right);
  /// The farm's workers, which it will no longer delete. Sets whether the caller has to.
  static std::vector<ff_node*> workers_of(ff_farm& farm, bool& owned);

  /// A node for each place where one is combined.
  class supply {
   public:
    supply(ff_node* node, bool owned, const node_copier& copy) : node_(node), owned_(owned), copy_(copy) {}
    /// Returns null if another one is needed that can't be made.
    ff_node* next();
    /// Whether the last one is to be deleted with the combination.
    bool owned() const { return owned_; }

   private:
    ff_node* node_;
    bool owned_;
    const node_copier& copy_;
    bool used_ = false;
  };
  /// Combines nodes with those at the beginning or at the end of a block.
  /// @return 0; -1 after an error
  static int combine(ff_node& block, supply& nodes, bool at_the_end);

 private:
  static int combine_each(svector<ff_node*>& parts, std::vector<ff_node*>& owned, supply& nodes, bool at_the_end);
  static int combine_one(ff_node*& part, std::vector<ff_node*>& owned, supply& nodes, bool at_the_end);
};

}  // namespace ff::detail
