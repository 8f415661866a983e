// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/ampi_shim/random_programs/families.hpp"
#include "tests/ampi_shim/random_programs/random.hpp"

/// Tags of messages are below; those without a value have tags of their own from here on, by which they are told apart.
inline constexpr int kTags = 4;
inline constexpr int kTagOfNothing = 7;  // of no message at all

enum class Mode { kStandard, kSynchronous, kBuffered, kReady, kPersistent };

struct Message {
  int id = 0;  // its number in the epoch; of one sender's messages the one with the lower number is sent first
  int family = 0, from = 0, to = 0;  // ranks of the world
  int tag = 0, count = 0;
  Mode mode = Mode::kStandard;
  bool is_blocking = false, is_spaced = false;

  int value(int at) const;  // of its elements; the first is its number
};

enum class Kind {
  kBarrier,
  kBroadcast,
  kReduce,
  kAllreduce,
  kGather,
  kScatter,
  kAllgather,
  kAllgatherv,
  kAlltoall,
  kAlltoallv,
  kScan,
  kExscan,
  kReduceScatterBlock,
  kKinds
};
enum class Form { kBlocking, kNonblocking, kPersistent };

struct Collective {
  int id = 0, family = 0, root = 0, count = 0;  // `root` is a number of any size, to be taken modulo the ranks
  Kind kind = Kind::kBarrier;
  Form form = Form::kBlocking;
};

/// The messages and collectives of ranks between two points where all meet.
struct Epoch {
  bool is_posted = false;  // receives are posted before anything is sent, so that sends may block
  std::vector<Message> messages;
  std::vector<Collective> collectives;
};

/// Sends that ranks make once and start in any epoch: their destination, tag and length.
using Templates = std::vector<Message>;

Templates make_templates(Random& plan, const Families& families, int size);
Epoch make_epoch(Random& plan, const Families& families, const Templates& templates, int size);
