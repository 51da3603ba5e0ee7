/// A shell that asks the command itself, at every tab, what may come next: so that its script knows no verb and never grows
/// old. In an answer each line is a candidate; `:files` and `:folders` leave it to the shell.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    func answer(_ completion: Completion) -> String {
        let lines = completion.candidates.map(line)
        let paths = completion.paths == .none ? [] : [":" + completion.paths.rawValue]
        return (lines + paths).map { $0 + "\n" }.joined()
    }

    private func line(_ candidate: Completion.Candidate) -> String {
        switch self {
        case .bash:
            // It breaks words at `=` and wants what comes behind.
            let sign = candidate.word.hasPrefix("--") ? candidate.word.firstIndex(of: "=") : nil
            return String(sign.map { candidate.word[candidate.word.index(after: $0)...] } ?? candidate.word[...])
        case .zsh:
            let word = candidate.word.replacing(":", with: "\\:")
            return candidate.meaning.isEmpty ? word : "\(word):\(candidate.meaning)"
        case .fish:
            return candidate.meaning.isEmpty ? candidate.word : "\(candidate.word)\t\(candidate.meaning)"
        }
    }

    /// What the shell reads when it starts.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    // Bash 3.2, which macOS has, knows neither mapfile nor compopt.
    private static let bashScript = #"""
        # deadzone: completion for bash. Put it where bash-completion looks, or: source <(deadzone completions bash)
        _deadzone() {
            local line path word=${COMP_WORDS[COMP_CWORD]}
            [ "$word" = = ] && word=
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                :files | :folders)
                    compopt -o filenames 2>/dev/null
                    while IFS= read -r path; do COMPREPLY+=("$path"); done < <(
                        [ "$line" = :files ] && compgen -f -- "$word" || compgen -d -- "$word"
                    ) ;;
                *) COMPREPLY+=("$line") ;;
                esac
            done < <(deadzone completions bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _deadzone deadzone

        """#

    private static let zshScript = #"""
        #compdef deadzone
        # deadzone: completion for zsh. Put it as _deadzone into a folder of $fpath, or: source <(deadzone completions zsh)
        _deadzone() {
            local line
            local -a candidates
            while IFS= read -r line; do
                case $line in
                :files) _files ;;
                :folders) _files -/ ;;
                *) candidates+=("$line") ;;
                esac
            done < <(deadzone completions zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)
            (( $#candidates )) && _describe -V deadzone candidates
        }
        if [[ $funcstack[1] == _deadzone ]]; then _deadzone "$@"; else compdef _deadzone deadzone; fi

        """#

    private static let fishScript = #"""
        # deadzone: completion for fish. Put it into a folder of $fish_complete_path, or: deadzone completions fish | source
        function __deadzone_candidates
            set -l settled (commandline -opc)
            set -l word (commandline -ct)
            for line in (deadzone completions fish -- $settled[2..] "$word" 2>/dev/null)
                switch $line
                    case :files
                        __fish_complete_path "$word"
                    case :folders
                        __fish_complete_directories "$word"
                    case '*'
                        echo $line
                end
            end
        end
        complete -c deadzone -f -k -a '(__deadzone_candidates)'

        """#
}
