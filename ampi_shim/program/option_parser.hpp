// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <getopt.h>

#include <cstdio>
#include <functional>
#include <string>

namespace kaon::ampi {

/// getopt and getopt_long of one rank. The C library has one state for the process and no form that takes another, so a
/// second rank would go on where the first one stopped. The rules are those of the GNU functions: arguments that are no
/// options move to the end, long names may be shortened, `optind = 0` starts anew.
class OptionParser {
 public:
  /// The variables that the program sees; the first four may be null where it never names them.
  struct Variables {
    char** argument = nullptr;
    int* index = nullptr;
    int* errors = nullptr;
    int* character = nullptr;
  };
  /// `is_posix`: options end at the first argument that is none.
  void start(const Variables& variables, bool is_posix);

  struct Call {
    int argc;
    char** argv;
    const char* letters;
    const option* names;  // null for getopt
    int* found;           // the index of a long option
    bool long_only;
    FILE* errors;
  };
  int next(const Call& call);

  /// While another rank has the variables, this one's are kept here.
  void take_out();
  void bring_in() const;

 private:
  enum class Order { permute, stop, in_turn };

  int advance(const Call& call);
  void begin(const Call& call);
  void skip_others(const Call& call);
  void move_options_forward(char** argv);
  int end_or_other(const Call& call);
  int letter(const Call& call);
  int take_argument(const Call& call, char letter, const char* rule);
  int name(const Call& call, const char* prefix);
  const option* match(const Call& call, const std::string& given, const char* prefix, bool& is_ambiguous) const;
  int take_name(const Call& call, const option& match, const std::string& shown, const char* value);
  bool tells(const Call& call) const;
  static const char* letters_of(const Call& call);

  // Where the program names no variable: the one of the same name below.
  Variables at_;
  char* own_argument_ = nullptr;
  int own_index_ = 1;
  int own_errors_ = 1;
  int own_character_ = '?';

  bool is_posix_ = false;
  bool has_begun_ = false;
  Order order_ = Order::permute;
  char* rest_ = nullptr;  // letters of the present argument
  int first_other_ = 1;   // arguments that are no options and were passed over: from here
  int last_other_ = 1;    // up to here
};

}  // namespace kaon::ampi
