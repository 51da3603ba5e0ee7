/// A Unix shell with completion support, such as bash, with its completion script. The script calls the command at
/// every tab, so it contains no verbs and never becomes outdated. In the answer each line is a candidate. `:files` and
/// `:folders` let the shell complete paths.
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
            // Bash splits words at `=` and expects only the part after it.
            let sign = candidate.word.hasPrefix("--") ? candidate.word.firstIndex(of: "=") : nil
            return String(sign.map { candidate.word[candidate.word.index(after: $0)...] } ?? candidate.word[...])
        case .zsh:
            let word = candidate.word.replacing(":", with: "\\:")
            return candidate.meaning.isEmpty ? word : "\(word):\(candidate.meaning)"
        case .fish:
            return candidate.meaning.isEmpty ? candidate.word : "\(candidate.word)\t\(candidate.meaning)"
        }
    }

    /// The script that the shell loads at its start.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    // macOS ships bash 3.2, which has neither mapfile nor compopt.
    private static let bashScript = #"""
        # deadzone: completion for bash. Copy it to the folder of bash-completion, or run: source <(deadzone completions bash)
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
        # deadzone: completion for zsh. Save it as _deadzone in a folder of $fpath, or run: source <(deadzone completions zsh)
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
        # deadzone: completion for fish. Copy it to a folder of $fish_complete_path, or run: deadzone completions fish | source
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
