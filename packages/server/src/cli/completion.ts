import type { Command } from 'commander'
import { installers } from '../client-settings/installers.ts'

type Shell = 'bash' | 'zsh' | 'fish'

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(program.createArgument('<shell>', 'its name').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples)
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, levels(program)))
    })
}

const examples = `
Examples:
  statewright completion bash > ~/.local/share/bash-completion/completions/statewright
  statewright completion zsh >> ~/.zshrc
  statewright completion fish > ~/.config/fish/completions/statewright.fish
`

/** What may follow after some words, such as `start list show` after `run`. */
export interface Level {
  readonly after: string
  readonly words: readonly string[]
  /** Its first argument is a run. */
  readonly takesRun: boolean
}

/** Every level of the command line, read from the commands themselves: none is forgotten. */
export function levels(command: Command, after = ''): Level[] {
  const names = command.commands.map((one) => one.name())
  const options = command.options.flatMap(({ long }) => (long === undefined ? [] : [long]))
  const words = [...names, ...answers(command), ...options, '--help']
  const first = command.registeredArguments[0]?.name() ?? ''
  const here = { after, words, takesRun: ['run', 'runs'].includes(first) }
  const inner = command.commands.map((one) => levels(one, `${after} ${one.name()}`.trim()))
  return [here, ...inner.flat()]
}

/** What an argument may be, where that is known. */
function answers(command: Command): string[] {
  return command.registeredArguments.flatMap((argument) =>
    argument.name() === 'client' ? [...installers.keys()] : (argument.argChoices ?? []),
  )
}

export function completionScript(shell: Shell, known: readonly Level[]): string {
  if (shell === 'fish') return fish(known)
  const script = bash(known)
  return shell === 'bash' ? script : `${zshStart}${script}`
}

/** Completion has to be switched on in zsh before that of bash can be. */
const zshStart = `autoload -U +X bashcompinit compinit
whence compdef > /dev/null || compinit
bashcompinit
`

/**
 * Our names hold letters and hyphens only, so that they need no quoting. In zsh, which reads this
 * too, `path` and `words` are variables of its own, and offsets need `$((…))`. A server that does
 * not answer within two seconds is not waited for.
 */
function bash(known: readonly Level[]): string {
  const cases = known
    .filter(({ after }) => after !== '')
    .toSorted((one, other) => other.after.length - one.after.length)
    .map(({ after, words, takesRun }) => {
      const asks = takesRun ? ' takes_run=1' : ''
      return `    "${after}"*) offers="${words.join(' ')}"${asks} ;;`
    })
  const first = known.find(({ after }) => after === '')?.words.join(' ') ?? ''
  return `_statewright() {
  local typed="" offers="" takes_run="" runs="" word
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$word" in -*) ;; *) typed="$typed\${typed:+ }$word" ;; esac
  done
  case "$typed" in
    "") offers="${first}" ;;
${cases.join('\n')}
  esac
  if [ -n "$takes_run" ] && [[ "\${COMP_WORDS[COMP_CWORD]}" != -* ]]; then
    read -r -t 2 -d '' runs < <(statewright run list --ids 2> /dev/null)
    offers="$offers $runs"
  fi
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _statewright statewright
`
}

const runsInFish = ' (statewright run list --ids 2> /dev/null)'

function fish(known: readonly Level[]): string {
  const lines = known.map(({ after, words, takesRun }) => {
    const seen = after.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const when = after === '' ? '__fish_use_subcommand' : seen.join('; and ')
    const offers = `${words.join(' ')}${takesRun ? runsInFish : ''}`
    return `complete -c statewright -f -n '${when}' -a '${offers}'`
  })
  return `${lines.join('\n')}\n`
}
