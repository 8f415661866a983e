// SPDX-License-Identifier: Apache-2.0
#include "tests/ampi_shim/random_programs/plan.hpp"

#include "tests/ampi_shim/random_programs/reporting.hpp"

namespace {

int random_count(Random& plan) {
  const int kind = plan.below(16);
  if (kind == 0) return 0;
  if (kind < 10) return 1 + plan.below(20);
  return 1 + plan.below(kind < 15 ? 2000 : 20000);
}

Message random_message(Random& plan, const Families& families, int size) {
  Message message;
  message.family = plan.below(static_cast<int>(families.size()));
  message.from = plan.below(size);
  message.to = plan.choose(families[static_cast<std::size_t>(message.family)].targets_of(message.from));
  message.tag = plan.below(kTags);
  message.count = random_count(plan);
  return message;
}

void choose_mode(Random& plan, Message& message, bool is_posted) {
  message.is_blocking = is_posted && plan.one_in(2);
  message.is_spaced = plan.one_in(3);
  const int kind = plan.below(8);
  if (kind < 2)
    message.mode = Mode::kSynchronous;
  else if (kind == 2 && message.count < 100)
    message.mode = Mode::kBuffered;
  else if (kind == 3 && is_posted)
    message.mode = Mode::kReady;
}

Collective random_collective(Random& plan, const Families& families) {
  Collective made;
  made.family = plan.below(static_cast<int>(families.size()) - 1);  // the last may have two sides
  made.root = plan.below(1 << 20);
  made.count = plan.one_in(8) ? plan.below(3000) : plan.below(6);
  made.kind = static_cast<Kind>(plan.below(static_cast<int>(Kind::kKinds)));
  made.form = static_cast<Form>(plan.below(3));
  return made;
}

}  // namespace

int Message::value(int at) const {
  if (at == 0) return id;
  return static_cast<int>(Random::mixed(static_cast<std::uint64_t>(id) << 32 ^ static_cast<std::uint64_t>(at)) >> 33);
}

Templates make_templates(Random& plan, const Families& families, int size) {
  Templates templates;
  for (int i = 0; i < 2 * size; ++i) {
    templates.push_back(random_message(plan, families, size));
    templates.back().mode = Mode::kPersistent;
    if (templates.back().count == 0) templates.back().count = 1;
  }
  return templates;
}

Epoch make_epoch(Random& plan, const Families& families, const Templates& templates, int size) {
  Epoch epoch;
  epoch.is_posted = plan.one_in(3);
  const int messages = plan.below(12 * size);
  for (int i = 0; i < messages; ++i) {
    Message message;
    if (plan.one_in(6)) {
      message = plan.choose(templates);
    } else {
      message = random_message(plan, families, size);
      choose_mode(plan, message, epoch.is_posted);
    }
    message.id = i;
    if (message.count == 0) message.tag = kTagOfNothing + 1 + i;
    epoch.messages.push_back(message);
  }
  const int collectives = plan.below(6);
  for (int i = 0; i < collectives; ++i) {
    epoch.collectives.push_back(random_collective(plan, families));
    epoch.collectives.back().id = scene.epoch * 100 + i;
  }
  return epoch;
}
