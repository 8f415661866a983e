# SPDX-License-Identifier: Apache-2.0
"""Writes manual pages and completions for bash.

Usage: manual.py TREE VERSION FOLDER PROGRAM... For each PROGRAM, kaonrun or ampirun, it writes FOLDER/PROGRAM.1 and
FOLDER/PROGRAM. Options and variables are those of docs/options.md; the rest is the text of the program's --help.
"""
import pathlib
import re
import sys

HELP = {"kaonrun": "runtime/launch/kaonrun.cpp", "ampirun": "ampi_shim/tools/ampirun/command_line.cpp"}
NAMES = {"kaonrun": "starts the processes of a Kaon program on this machine", "ampirun": "runs an MPI program as ranks that are objects of Kaon"}
SETTERS = {"kaonrun": "behind PROGRAM", "ampirun": "before PROGRAM"}  # where options of the runtime stand
VARIABLES = ("environment", "UCX", "devices")
CHOICES = ("NAME", "LEVEL")


class Row:
    def __init__(self, cells):
        self.spellings = re.findall(r"`([^`]+)`", cells[0])
        self.of = cells[1]
        self.default, self.meaning = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell) for cell in cells[2:4])
        self.options = [name for name in self.spellings if name.startswith("-")]
        self.variables = [name for name in self.spellings if not name.startswith("-")]

    def names(self):
        return [name.split()[0] for name in self.options]

    def takes_value(self):
        return any(" " in name for name in self.options)

    def choices(self):
        """The values of an option that has few."""
        if not any(name.endswith(CHOICES) for name in self.options):
            return []
        return list(dict.fromkeys(re.findall(r"`([a-z]+)`", self.meaning)))


def rows_of(tree):
    page = (tree / "docs/options.md").read_text().partition("## All of them")[2].partition("\n## ")[0]
    lines = [line.strip().strip("|").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    rows = [Row([cell.strip() for cell in cells]) for cells in lines]
    if not rows:
        sys.exit("docs/options.md: no table behind '## All of them'")
    return rows


def help_of(tree, program):
    """(what it does, what it says behind its options, its exit codes) of the text of --help."""
    text = re.search(r'kHelp =\s*R"\((.*?)\)"', (tree / HELP[program]).read_text(), re.S)
    if text is None:
        sys.exit(f"{HELP[program]}: there is no kHelp")
    body, _, codes = text[1].partition("Exit codes:")
    lines = body.splitlines()[2:]
    first = next(at for at, line in enumerate(lines) if line.startswith("  -"))
    last = max(at for at, line in enumerate(lines) if line.startswith("  "))
    return "\n".join(lines[:first]), "\n".join(lines[last + 1:]), codes


def escaped(text):
    lines = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "").splitlines()
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def paragraphs(text):
    return "\n.PP\n".join(escaped(part) for part in text.strip().split("\n\n"))


def entry(names, row):
    default = "" if row.default in ("-", "`off`") else f" Default: {row.default}."
    return f".TP\n\\fB{escaped(', '.join(names))}\\fR\n{escaped(row.meaning)}.{escaped(default)}"


def options_text(rows, of):
    found = []
    for row in rows:
        if row.of == of:
            variable = f" (\\fB{escaped(row.variables[0])}\\fR)" if row.variables else ""
            head, body, *rest = entry(row.options, row).split("\n", 2)
            found.append("\n".join([head, body + variable, *rest]))
    return "\n".join(found)


def manual(tree, program, version, rows):
    what, more, codes = help_of(tree, program)
    usage = "\\fB\\-n\\fR \\fIRANKS\\fR" if program == "ampirun" else "\\fB\\-n\\fR \\fIQ\\fR"
    variables = "\n".join(entry(row.variables, row) for row in rows if row.of in VARIABLES)
    other = "kaonrun" if program == "ampirun" else "ampirun"
    return f""".\\" Made from docs/options.md and {HELP[program]} by cmake/manual.py.
.TH {program.upper()} 1 "" "Kaon {version}" "Kaon"
.SH NAME
{program} \\- {escaped(NAMES[program])}
.SH SYNOPSIS
\\fB{program}\\fR {usage} [\\fIoptions\\fR] \\fIPROGRAM\\fR [\\fIits arguments\\fR]
.SH DESCRIPTION
{paragraphs(what)}
.PP
{paragraphs(more)}
.SH OPTIONS
They stand before \\fIPROGRAM\\fR.
{options_text(rows, program)}
.SH OPTIONS OF THE RUNTIME
They stand {SETTERS[program]}. Each may be given by the environment variable in brackets instead; the option wins.
{options_text(rows, "program")}
.SH ENVIRONMENT
{variables}
.SH EXIT STATUS
.nf
{escaped(codes.strip(chr(10)).removeprefix(' '))}
.fi
.SH SEE ALSO
\\fB{other}\\fR(1)
"""


def words(rows, of):
    return " ".join(dict.fromkeys(name for row in rows if row.of in of for name in row.names()))


def case_of_choices(rows, of):
    return "\n".join(f"      {' | '.join(row.names())}) mapfile -t COMPREPLY < <(compgen -W '{' '.join(row.choices())}' -- \"$word\") ;;"
                     for row in rows if row.of in of and row.choices())


def completion(program, rows):
    own = (program, "program") if program == "ampirun" else (program,)
    valued = " | ".join(name for row in rows if row.of in own and row.takes_value() for name in row.names())
    behind = "" if program == "ampirun" else words(rows, ("program",))
    return f"""# bash completion of {program}. Made from docs/options.md by cmake/manual.py.
_{program}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} at=1 option
  COMPREPLY=()
  # To the program, over options and their values; bash takes --option=value for three words.
  while [ "$at" -lt "$COMP_CWORD" ]; do
    case ${{COMP_WORDS[at]}} in
      {valued})
        [ "${{COMP_WORDS[at + 1]}}" != = ] || at=$((at + 1))
        at=$((at + 2))
        ;;
      -*) at=$((at + 1)) ;;
      *) break ;;
    esac
  done
  option=${{COMP_WORDS[COMP_CWORD - 1]}}
  if [ "$option" = = ]; then option=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  if [ "$word" = = ]; then option=${{COMP_WORDS[COMP_CWORD - 1]}} word=; fi
  if [ "$at" -eq "$COMP_CWORD" ]; then
    case $word in
      -*) mapfile -t COMPREPLY < <(compgen -W '{words(rows, own)}' -- "$word") ;;
      *)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -f -- "$word")
        ;;
    esac
  else
    case $option in
{case_of_choices(rows, (program, "program"))}
      *)
        case $word in
          -*) mapfile -t COMPREPLY < <(compgen -W '{behind}' -- "$word") ;;
          *)
            if [ "$at" -lt "$COMP_CWORD" ]; then
              compopt -o filenames 2>/dev/null
              mapfile -t COMPREPLY < <(compgen -f -- "$word")
            fi
            ;;
        esac
        ;;
    esac
  fi
}}
complete -F _{program} {program}
"""


def main(tree, version, folder, *programs):
    tree, folder = pathlib.Path(tree), pathlib.Path(folder)
    rows = rows_of(tree)
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        (folder / f"{program}.1").write_text(manual(tree, program, version, rows))
        (folder / program).write_text(completion(program, rows))


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
