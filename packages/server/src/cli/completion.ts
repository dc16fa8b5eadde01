import type { Command, Option } from 'commander'
import { installers } from '../client-settings/installers.ts'
import { templates } from '../templates/read-templates.ts'

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
  /** Options that a value follows, with the values where they are known. */
  readonly values: readonly OptionValues[]
}

interface OptionValues {
  readonly option: string
  readonly values: readonly string[]
}

/** Every level of the command line, read from the commands themselves: none is forgotten. */
export function levels(command: Command, after = ''): Level[] {
  const names = command.commands.map((one) => one.name())
  const options = command.options.flatMap(({ long }) => (long === undefined ? [] : [long]))
  const words = [...names, ...answers(command), ...options, '--help']
  const first = command.registeredArguments[0]?.name() ?? ''
  const values = command.options.flatMap(valuesOf)
  const here = { after, words, takesRun: ['run', 'runs'].includes(first), values }
  const inner = command.commands.map((one) => levels(one, `${after} ${one.name()}`.trim()))
  return [here, ...inner.flat()]
}

/** What an argument may be, where that is known. */
function answers(command: Command): string[] {
  return command.registeredArguments.flatMap(
    (argument) => argument.argChoices ?? namesOf(argument.name()),
  )
}

function valuesOf({ long, argChoices, required, optional }: Option): OptionValues[] {
  if (long === undefined || long === null || !(required || optional)) return []
  return [{ option: long, values: argChoices ?? namesOf(long.replace(/^--/, '')) }]
}

function namesOf(what: string): string[] {
  if (what === 'client') return [...installers.keys()]
  return what === 'template' ? templates().map(({ name }) => name) : []
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
  const valued = known
    .filter(({ after, values }) => after !== '' && values.length > 0)
    .toSorted((one, other) => other.after.length - one.after.length)
    .flatMap(({ after, values }) =>
      values.map(
        (one) =>
          `    "${after}"*" ${one.option}") takes_run="" offers="${one.values.join(' ')}" ;;`,
      ),
    )
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
  case "$typed \${COMP_WORDS[$((COMP_CWORD-1))]}" in
${valued.join('\n')}
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
  const lines = known.flatMap(({ after, words, takesRun, values }) => {
    const seen = after.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const when = after === '' ? '__fish_use_subcommand' : seen.join('; and ')
    const offers = `${words.join(' ')}${takesRun ? runsInFish : ''}`
    const start = `complete -c statewright -f -n '${when}'`
    const valued = values.map((one) => {
      const given = one.values.length === 0 ? '-r -F' : `-x -a '${one.values.join(' ')}'`
      return `${start} -l ${one.option.slice(2)} ${given}`
    })
    return [`${start} -a '${offers}'`, ...(after === '' ? [] : valued)]
  })
  return `${lines.join('\n')}\n`
}
