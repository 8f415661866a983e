// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kaon::ampi {

/// "MPI_ERR_COUNT"; empty: no predefined class.
std::string_view error_class_name(int error_class);
/// The meaning of an error class, as a clause.
std::string_view error_class_text(int error_class);

/// The error classes and codes of one rank: the predefined classes, which are their own codes, and those that its
/// program has added.
class ErrorCodes {
 public:
  ErrorCodes();

  int add_class();
  /// A code of a class that exists.
  int add_code(int error_class);
  bool set_text(int code, std::string text);

  /// Nothing: no such code.
  std::optional<int> class_of(int code) const;
  std::optional<std::string> text_of(int code) const;
  bool is_class(int code) const { return class_of(code) == code; }

  // The program takes back what it added; false: it has not added it, or a text or a code still needs it.
  bool remove_class(int error_class);
  bool remove_code(int code);
  bool remove_text(int code);

  /// The value of the attribute MPI_LASTUSEDCODE; the place stays the same.
  const int& last_used() const { return last_used_; }

  /// Remembers what was wrong when a code was last raised, and says it in the code's text.
  void note(int code, std::string what);

 private:
  struct Added {
    int error_class;
    std::string text;
    bool is_removed = false;
  };
  Added* added(int code);
  const Added* added(int code) const { return const_cast<ErrorCodes*>(this)->added(code); }
  int add(int error_class);

  void remove(Added& entry);

  std::vector<std::size_t> free_;  // places in added_ of those that were removed
  std::vector<Added> added_;       // that of code MPI_ERR_LASTCODE + 1 first
  int last_used_;
  int noted_code_ = 0;
  std::string noted_;
};

}  // namespace kaon::ampi
