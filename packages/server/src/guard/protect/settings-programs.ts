import { gitWords } from './git-words.ts'

type Words = readonly (string | null)[]

/** Files with settings that run later, of programs that change them without naming them. */
export function settingsFiles(words: Words): readonly string[] {
  const [program, ...rest] = words
  const name = program?.slice(program.lastIndexOf('/') + 1) ?? ''
  if (name === 'git') return gitFiles(rest)
  const [verb, ...args] = rest.filter((word) => word === null || !word.startsWith('-'))
  return changes.find((one) => one.matches(name, verb ?? '', args, rest))?.files ?? []
}

interface Change {
  matches(program: string, verb: string, args: Words, all: Words): boolean
  readonly files: readonly string[]
}

const setters: readonly (string | null | undefined)[] = ['set', 'edit', 'delete', 'unset', null]

/** `npm config set` and its kin. */
function setsConfig(programs: readonly string[], files: readonly string[]): Change {
  return {
    matches: (program, verb, [first]) =>
      programs.includes(program) &&
      /^c(?:on(?:f(?:i(?:g)?)?)?)?$/.test(verb) &&
      setters.includes(first),
    files,
  }
}

const changes: readonly Change[] = [
  setsConfig(['npm', 'pnpm'], ['~/.npmrc', '.npmrc']),
  {
    matches: (program, verb, args) =>
      ['npm', 'pnpm'].includes(program) && verb === 'set' && args.length > 0,
    files: ['~/.npmrc', '.npmrc'],
  },
  setsConfig(['yarn', 'yarnpkg'], ['~/.yarnrc.yml', '.yarnrc.yml']),
  setsConfig(['pip', 'pip3'], ['~/.config/pip/pip.conf']),
  {
    matches: (program, verb) =>
      (['pre-commit', 'lefthook'].includes(program) && verb === 'install') ||
      (program === 'husky' && verb !== ''),
    files: ['.git/hooks'],
  },
  { matches: (program, verb) => program === 'direnv' && verb !== 'status', files: ['.envrc'] },
  {
    matches: (program, _verb, _args, all) => program === 'crontab' && !all.includes('-l'),
    files: ['/var/spool/cron'],
  },
  {
    matches: (program, verb) =>
      program === 'systemctl' && ['enable', 'link', 'edit', 'reenable'].includes(verb),
    files: ['~/.config/systemd'],
  },
]

function gitFiles(words: Words): readonly string[] {
  const { before, verb, rest } = gitWords(words)
  if (verb === 'lfs' && rest[0] === 'install') return ['.git/hooks', '~/.gitconfig']
  // A template brings hooks along.
  const hasTemplate = [...before, ...rest].some((word) => word !== null && template.test(word))
  if ((verb === 'init' || verb === 'clone') && hasTemplate) return ['.git/hooks']
  // A command of another name may be any; what a clone is given stays in it.
  if (before.some((word) => /^(?:-c)?alias\./i.test(word ?? ''))) return ['.git/config']
  if (verb === 'clone' && rest.some((word) => keepsHooks.test(word ?? ''))) return ['.git/hooks']
  if (verb !== 'config') return []
  const isReading = rest.some((word) => word !== null && reads.test(word)) || rest.length < 2
  if (isReading) return []
  return rest.includes('--global') ? ['~/.gitconfig'] : ['.git/config']
}

/** Git takes the beginning of an option for the whole. */
const template = /^--te(?:m(?:p(?:l(?:a(?:te?)?)?)?)?)?(?:=|$)|^(?:-c)?init\.templatedir/i
const keepsHooks = /^(?:-c|--config=)?core\.hookspath=(?!\/dev\/null$)/i
const reads = /^(?:--get.*|--list|-l|--show-.*|get|list)$/
