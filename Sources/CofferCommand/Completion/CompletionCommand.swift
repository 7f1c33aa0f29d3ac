/// `coffer completion`: prints what a shell needs to complete command lines.
enum CompletionCommand: Command {
    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish
    }

    static let declaration = CommandDeclaration(
        name: "completion", summary: "print a script that has a shell complete command lines",
        operands: [.init(name: "SHELL", choices: Shell.allCases.map(\.rawValue), isPath: false)],
        details: "SHELL is bash, zsh or fish.",
        examples: [
            .init("source <(coffer completion bash)", "for this shell; put it into ~/.bashrc for all"),
            .init("coffer completion zsh > ~/.zsh/functions/_coffer", "in a folder of $fpath"),
            .init("coffer completion fish > ~/.config/fish/completions/coffer.fish", "for fish"),
        ])

    static func run(_ arguments: CommandArguments, on console: Console) throws -> Int32 {
        let script =
            switch Shell(rawValue: arguments.operands[0]) {
            case .zsh: ZshCompletion.script(CofferCommand.declarations)
            case .fish: FishCompletion.script(CofferCommand.declarations)
            case .bash, nil: BashCompletion.script(CofferCommand.declarations)
            }
        console.write(script)
        return 0
    }
}

extension CommandOption {
    /// The first line of the help, without marks that shells take for theirs.
    fileprivate var shortHelp: String {
        String(help.split(separator: "\n").first ?? "").filter { !"'\"`[]:\\$".contains($0) }
    }
}

/// For bash: words by command, and the values of the option before the cursor.
enum BashCompletion {
    static func script(_ commands: [CommandDeclaration]) -> String {
        var cases = ""
        var values = ""
        for command in commands {
            let options = command.allOptions.map { "--\($0.name)" }
            let choices = command.operands.flatMap(\.choices)
            cases += "        \(command.name)) words='\((options + choices).joined(separator: " "))' ;;\n"
            for option in command.allOptions where !option.choices.isEmpty {
                var pattern = "\(command.name):--\(option.name)"
                if let letter = option.letter { pattern += "|\(command.name):-\(letter)" }
                values += "        \(pattern)) words='\(option.choices.joined(separator: " "))' ;;\n"
            }
        }
        return """
            # Completion of coffer for bash.
            _coffer() {
                local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=''
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    words='\(commands.map(\.name).joined(separator: " ")) --help --version'
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                    return
                fi
                if [ "$before" = '=' ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
                if [ "$current" = '=' ]; then current=''; fi
                case "${COMP_WORDS[1]}:$before" in
            \(values)    esac
                if [ -n "$words" ]; then
                    COMPREPLY=($(compgen -W "$words" -- "$current"))
                    return
                fi
                case "${COMP_WORDS[1]}" in
            \(cases)    esac
                COMPREPLY=($(compgen -W "$words" -- "$current"))
            }
            complete -o default -F _coffer coffer

            """
    }
}

/// For zsh: a function for `_arguments`.
enum ZshCompletion {
    static func script(_ commands: [CommandDeclaration]) -> String {
        let list = commands.map { "        '\($0.name):\($0.summary.filter { $0 != "'" })'\n" }.joined()
        let cases = commands.map { command in
            var lines = command.allOptions.map { "            \(line($0))" }
            lines += command.operands.map { operand in
                let action = operand.choices.isEmpty ? (operand.isPath ? "_files" : " ") : words(operand.choices)
                return "            '\(operand.isOptional ? "::" : ":")\(operand.name):\(action)'"
            }
            return "    \(command.name))\n        _arguments -s \\\n" + lines.joined(separator: " \\\n") + " ;;\n"
        }.joined()
        return """
            #compdef coffer
            # Completion of coffer for zsh.
            local -a commands
            commands=(
            \(list))
            if (( CURRENT == 2 )); then
                _describe command commands
                return
            fi
            shift words
            (( CURRENT-- ))
            case $words[1] in
            \(cases)esac

            """
    }

    private static func words(_ choices: [String]) -> String { "(\(choices.joined(separator: " ")))" }

    private static func line(_ option: CommandOption) -> String {
        let action = option.choices.isEmpty ? (option.isPath ? "_files" : " ") : words(option.choices)
        let value = option.value.map { ":\($0.filter { !"[]:".contains($0) }):\(action)" } ?? ""
        let text = "[\(option.shortHelp)]\(value)"
        let sign = option.value == nil ? "" : "="
        let star = option.repeats ? "*" : ""
        guard let letter = option.letter else { return "'\(star)--\(option.name)\(sign)\(text)'" }
        if option.repeats {
            return "'*--\(option.name)\(sign)\(text)' '*-\(letter)\(text)'"
        }
        let both = "(-\(letter) --\(option.name))"
        return "'\(both)--\(option.name)\(sign)\(text)' '\(both)-\(letter)\(text)'"
    }
}

/// For fish: a `complete` for each option.
enum FishCompletion {
    static func script(_ commands: [CommandDeclaration]) -> String {
        var text = "# Completion of coffer for fish.\n"
        for command in commands {
            let summary = command.summary.filter { !"'\\".contains($0) }
            text += "complete -c coffer -n __fish_use_subcommand -f -a \(command.name) -d '\(summary)'\n"
        }
        for command in commands {
            let isUsed = "complete -c coffer -n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.allOptions {
                text += "\(isUsed) -l \(option.name)"
                if let letter = option.letter { text += " -s \(letter)" }
                if !option.choices.isEmpty {
                    text += " -x -a '\(option.choices.joined(separator: " "))'"
                } else if option.value != nil {
                    text += option.isPath ? " -r -F" : " -x"
                }
                text += " -d '\(option.shortHelp)'\n"
            }
            let choices = command.operands.flatMap(\.choices)
            if !choices.isEmpty { text += "\(isUsed) -f -a '\(choices.joined(separator: " "))'\n" }
        }
        return text
    }
}
