#include "cli/completion.h"

namespace portico::cli {
namespace {

// Each script passes the words before the cursor to `portico __complete` and uses its output.
constexpr std::string_view kBash =
    R"(# portico completion for bash: source <(portico completion bash)
_portico_complete() {
  local word line
  COMPREPLY=()
  word=${COMP_WORDS[COMP_CWORD]}
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
      continue
    fi
    line=${line%%$'\t'*}
    [[ $line == *[./=] ]] && compopt -o nospace 2>/dev/null
    COMPREPLY+=("$line")
  done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
# Names with '=' and ':' in them are words of their own.
COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]/}
complete -F _portico_complete portico
)";

constexpr std::string_view kZsh = R"(#compdef portico
# portico completion for zsh: source <(portico completion zsh), or a file _portico in $fpath
_portico() {
  local line word about
  local -a described
  while IFS= read -r line; do
    if [[ $line == :file ]]; then
      _files
      continue
    fi
    word=${line%%$'\t'*}
    about=${line#*$'\t'}
    described+=("${word//:/\\:}${about:+:$about}")
  done < <("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#described} )) && _describe 'portico' described
}
if [ "$funcstack[1]" = "_portico" ]; then _portico "$@"; else compdef _portico portico; fi
)";

constexpr std::string_view kFish =
    R"(# portico completion for fish: portico completion fish | source
function __portico_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
        if test "$line" = ":file"
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c portico -f -a '(__portico_complete)'
)";

}  // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  return "";
}

}  // namespace portico::cli
