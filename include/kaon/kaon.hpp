// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/runtime/base/compiler.hpp"

// Everything a program of chares needs.
#include "kaon/chares/callbacks.hpp"                         // IWYU pragma: export
#include "kaon/chares/chare.hpp"                             // IWYU pragma: export
#include "kaon/chares/collectives/combined_operations.hpp"   // IWYU pragma: export
#include "kaon/chares/collectives/gathering_operations.hpp"  // IWYU pragma: export
#include "kaon/chares/collectives/operations.hpp"            // IWYU pragma: export
#include "kaon/chares/collectives/statistics.hpp"            // IWYU pragma: export
#include "kaon/chares/command_line.hpp"                      // IWYU pragma: export
#include "kaon/chares/completion.hpp"                        // IWYU pragma: export
#include "kaon/chares/entries/inbox.hpp"                     // IWYU pragma: export
#include "kaon/chares/migration/strategies.hpp"              // IWYU pragma: export
#include "kaon/chares/outside.hpp"                           // IWYU pragma: export
#include "kaon/chares/proxy.hpp"                             // IWYU pragma: export
#include "kaon/chares/read_only.hpp"                         // IWYU pragma: export
#include "kaon/chares/run.hpp"                               // IWYU pragma: export
#include "kaon/chares/runtime.hpp"                           // IWYU pragma: export
#include "kaon/chares/session.hpp"                           // IWYU pragma: export
#include "kaon/chares/waits/all_any.hpp"                     // IWYU pragma: export
#include "kaon/chares/waits/helper.hpp"                      // IWYU pragma: export
#include "kaon/runtime/base/error.hpp"                       // IWYU pragma: export
#include "kaon/runtime/base/options.hpp"                     // IWYU pragma: export
#include "kaon/runtime/exchange/payload_fetch.hpp"           // IWYU pragma: export
#include "kaon/runtime/messages/exception_type.hpp"          // IWYU pragma: export
#include "kaon/runtime/payloads/payload.hpp"                 // IWYU pragma: export
#include "kaon/runtime/payloads/sent.hpp"                    // IWYU pragma: export
#include "kaon/runtime/pe/print.hpp"                         // IWYU pragma: export
#include "kaon/runtime/ports/peers.hpp"                      // IWYU pragma: export
#include "kaon/runtime/work/task.hpp"                        // IWYU pragma: export

namespace kaon {

// A program and its run.
using chares::parse;
using chares::ReadOnly;
using chares::run;
using chares::Runtime;
using chares::Session;
using chares::this_runtime;
using chares::with_devices;
using runtime::Options;
using runtime::options_help;
using runtime::parse_command_line;
using runtime::Peers;
using runtime::Task;

// Arrays of chares, and their names.
using chares::Chare;
using chares::Coordinates;
using chares::Element;
using chares::Entries;
using chares::Group;
using chares::Index;
using chares::Map;
using chares::NodeGroup;
using chares::Proxy;
using chares::Section;
using chares::Shape;
using runtime::PeId;

// Messages and what they carry.
using chares::Inbox;
using chares::PostFor;
using chares::send;
using runtime::BitPriority;
using runtime::land;
using runtime::Landing;
using runtime::Payload;
using runtime::PolymorphicType;
using runtime::print;
using runtime::Reader;
using runtime::Sent;
using runtime::Writer;

// Balancing.
using chares::BalanceStep;
using chares::BalancingReport;
using chares::ElementLoad;
using chares::LoadReport;
using chares::Strategy;
using chares::Traffic;
namespace strategies = chares::strategies;

// Waits and reductions.
using chares::all;
using chares::any;
using chares::Callback;
using chares::callback;
using chares::Completion;
using chares::Future;
using chares::Nothing;

// Operations of reductions.
using chares::bitwise_and;
using chares::bitwise_or;
using chares::bitwise_xor;
using chares::combine_each;
using chares::concatenate;
using chares::Located;
using chares::logical_and;
using chares::logical_or;
using chares::logical_xor;
using chares::max;
using chares::max_location;
using chares::merge_in_order;
using chares::min;
using chares::min_location;
using chares::product;
using chares::Statistics;
using chares::statistics;
using chares::sum;
using chares::unite;
using chares::unite_by;

// Threads that are no PEs.
using chares::on_helper_thread;
using chares::Outside;

// What may go wrong, by what can be done about it.
using runtime::CorruptMessage;
using runtime::Error;
using runtime::ExceptionType;
using runtime::LostPeer;
using runtime::OutOfMemory;
using runtime::RemoteError;
using runtime::RunEnded;
using runtime::UsageError;

}  // namespace kaon
