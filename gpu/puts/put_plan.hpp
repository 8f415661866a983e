// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kaon/gpu/puts/put.hpp"

namespace kaon::gpu {

/// One put of a plan: from a segment of one PE to a segment of another, or of the same.
struct PlannedPut {
  std::string name;  // for starts(), waits() and errors
  int from = 0, to = 0;
  std::string source, target;  // names of segments of the PEs `from` and `to`
  std::uint64_t bytes = 0, from_offset = 0, to_offset = 0;
};

/// A static pattern of puts, written down before any of them is started: what kernels of each PE start and wait for, in
/// the order in which they do it. All PEs write down the same plan, so that nobody tells a receiver what comes; check()
/// proves that one round of it ends. It does not look at sources. A round may follow when all PEs have ended the last.
///
/// This is the offline plan of GPU-controlled transfers: senders' and receivers' schedules come from one source.
class PutPlan {
 public:
  /// Segments of arrival flags have this name: one word for each put that comes.
  static constexpr const char* kFlags = "flags";

  /// Throws UsageError for less than one PE.
  explicit PutPlan(int pes);
  /// Throws UsageError for a name that is taken, a put from or to no PE of the plan, and one that targets flags.
  void add(PlannedPut put);
  /// Kernels of the PE that it is from start it next; or of the PE that it goes to wait for it next. Throws UsageError
  /// for a put that was not added.
  void starts(const std::string& put) { add_step(put, Kind::start); }
  void waits(const std::string& put) { add_step(put, Kind::wait); }

  /// Throws UsageError where a put is not started once and waited for once; where PEs would wait for each other in a
  /// circle, whose waits it names; and for two puts whose targets overlap.
  void check() const;

  /// For PreparedPuts of PE `pe`; empty for a PE that starts none, which makes no list. `number_of` gives the number
  /// that the PE's table has for a segment of a PE.
  std::vector<Put> puts_of(int pe,
                           const std::function<SegmentNumber(int pe, const std::string& segment)>& number_of) const;
  /// For PutRing::start(), on the PE that it is from.
  std::uint32_t number_of(const std::string& put) const { return find(put).number; }
  /// Its word among the flags of the PE that it goes to.
  std::uint16_t flag_of(const std::string& put) const { return find(put).flag; }
  /// The number of flags of that PE. Throws UsageError for no PE of the plan.
  std::size_t flags_of(int pe) const;

 private:
  enum class Kind : std::uint8_t { start, wait };
  struct Step {
    std::size_t put;
    Kind kind;
  };
  struct Entry {
    PlannedPut put;
    std::uint32_t number = 0;  // among those of the PE that it is from
    std::uint16_t flag = 0;
    unsigned starts = 0, waits = 0;  // how often that is written down
  };
  void add_step(const std::string& put, Kind kind);
  const Entry& find(const std::string& put) const;
  void check_counts() const;
  void check_targets() const;
  void check_order() const;
  [[noreturn]] void refuse_circle(const std::vector<std::size_t>& next) const;

  std::vector<Entry> puts_;
  std::map<std::string, std::size_t> by_name_;
  std::vector<std::vector<Step>> steps_;  // of each PE
  std::vector<std::uint32_t> sent_;       // puts of each PE
  std::vector<std::uint16_t> flags_;      // of each PE
};

}  // namespace kaon::gpu
