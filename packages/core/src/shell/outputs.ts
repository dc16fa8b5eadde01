import type { Command, ParsedScript } from 'unbash'
import { type Kind, kinds } from './scope.ts'

/**
 * Commands whose output names files or commits, or counts, so that no program takes it for an
 * option. `args` is what each argument has to look like: `date +-delete` prints an option.
 */
const outputs = new Map<string, { readonly kind: Kind; readonly args: RegExp }>()

function prints(names: string, kind: Kind, args: RegExp): void {
  for (const name of names.split(',')) outputs.set(name, { kind, args })
}

const noOption = /^[^-]/
prints('pwd,nproc,whoami,hostname,tty', kinds.word, /^(?:-P|-L|--all|-s)$/)
// Of what is computed they may name a folder above.
prints('dirname,realpath,readlink', kinds.path, /^(?:[^-$`][^$`]*|-f|-e|-m)$/s)
prints('which', kinds.outside, noOption)
prints('seq', kinds.number, /^\d+$/)
prints('date', kinds.word, /^(?:\+%[^-].*|-u|-I\w*)$/s)
// With files it prints their names as well.
prints('wc', kinds.number, /^-[lwcm]+$/)
prints('id', kinds.word, /^-[ugn]+$/)
prints('uname', kinds.word, /^-[a-z]+$/)
prints('ls', kinds.name, /^(?:[^-].*|-[aA1trdS]+)$/s)
prints(
  'find',
  kinds.path,
  new RegExp(
    '^(?:[^-*?[].*|-\\d+|-(?:name|iname|path|ipath|wholename|regex|iregex|regextype|type|xtype|' +
      'maxdepth|mindepth|not|and|or|a|o|prune|empty|executable|readable|size|perm|user|group|' +
      'links|newer|newermt|mtime|mmin|atime|amin|ctime|cmin|daystart|xdev|mount|depth|follow|' +
      'print|print0|L|H|P))$',
    's',
  ),
)
prints('fd', kinds.name, /^(?:[^-].*|-[etHIuda0]+|--(?:type|extension|hidden|print0)(?:=.*)?)$/s)
prints('git rev-parse', kinds.word, /^(?:[^-].*|--(?:show-toplevel|short|verify|git-dir))$/s)
prints('git merge-base', kinds.word, noOption)
prints('git rev-list', kinds.word, /^(?:[^-].*|--(?:count|all|max-parents=0)|-n|-\d+)$/s)
prints('git ls-files', kinds.name, /^(?:[^-].*|-[zmoc]|--(?:others|exclude-standard|modified)?)$/s)
// Names of references may begin with a dash, though git's own commands make none.
const refname = `--format=['"]?%\\(refname(?::(?:short|strip=\\d+|lstrip=\\d+))?\\)['"]?`
const refs = new RegExp(
  `^(?:[^-].*|-[arl]|--(?:list|sort=.*|merged|no-merged|count=\\d+)|${refname})$`,
)
prints('git branch', kinds.name, new RegExp(`${refs.source}|^--show-current$`))
prints('git for-each-ref', kinds.name, refs)
prints('git tag', kinds.name, /^(?:[^-].*|-l|--list|--sort=.*|--merged|--points-at)$/s)
prints('git remote', kinds.word, /^$/)
prints(
  'git log',
  kinds.word,
  /^(?:[^-].*|-\d+|-n|--(?:all|reverse|merges|no-merges)|--(?:format|pretty)=['"]?%[hH]['"]?)$/s,
)
prints('git symbolic-ref', kinds.name, /^(?:[^-].*|--short)$/s)
prints('git describe', kinds.name, /^(?:[^-].*|--(?:tags|always|abbrev=0))$/s)
prints('git diff', kinds.name, /^(?:[^-].*|--(?:name-only|cached|staged|diff-filter=\w+)?)$/s)
prints(
  'grep,rg',
  kinds.name,
  new RegExp(
    '^(?:[^-].*|-[rilRnEFwPZz0egtT]+|--(?:files|files-with-matches|null|hidden|no-ignore|' +
      '(?:include|exclude|exclude-dir|type|glob)(?:=.*)?))$',
    's',
  ),
)
prints('command', kinds.outside, /^(?:[^-].*|-v)$/s)

/** These print contents unless they are told to print names. */
const needs = new Map([
  ['git diff', /^--name-only$/],
  ['git branch', /^--(?:show-current|format=)/],
  ['git for-each-ref', /^--format=/],
  ['git log', /^--(?:format|pretty)=/],
  ['grep', /^(?:-\w*l|--files-with-matches)/],
  ['rg', /^(?:-\w*l|--files)/],
  ['command', /^-v$/],
])

/** Filters that hand on whole lines of what they read. */
const filters = new Set(['sort', 'uniq', 'head', 'tail', 'grep'])

/** How far the output of a substitution is known. */
export function outputKind(script: ParsedScript, functions: ReadonlySet<string>): Kind {
  const first = script.commands[0]?.command
  if (script.commands.length !== 1 || first === undefined) return kinds.any
  if (functions.size > 0) return kinds.any
  if (first.type === 'Command') return kindOf(first)
  if (first.type !== 'Pipeline') return kinds.any
  return pipelineKind(first.commands, functions)
}

/** A function may have the name of a program, and print anything. */
export function pipelineKind(
  commands: readonly { readonly type: string }[],
  functions: ReadonlySet<string>,
): Kind {
  if (functions.size > 0) return kinds.any
  const last = commands.at(-1) as Command | undefined // Its type is asked before its fields are.
  if (last?.type === 'Command' && last.name?.value === 'wc') return kindOf(last)
  const source = commands[0] as Command | undefined // Its type is asked before its fields are.
  if (source?.type !== 'Command') return kinds.any
  for (const command of commands.slice(1)) {
    const filter = command as Command // Its type is asked before its fields are.
    if (filter.type !== 'Command' || !filters.has(filter.name?.value ?? '')) return kinds.any
    if (filter.suffix.some((word) => word.type === 'Word' && word.text.includes('-o')))
      return kinds.any
  }
  return kindOf(source)
}

function kindOf(command: Command): Kind {
  const name = command.name?.value ?? ''
  const texts: string[] = []
  for (const word of command.suffix) if (word.type === 'Word') texts.push(word.text)
  const isGit = name === 'git'
  const key = isGit ? `git ${texts[0] ?? ''}` : name
  const output = outputs.get(key)
  if (output === undefined) return kinds.any
  const args = isGit ? texts.slice(1) : texts
  const need = needs.get(key)
  if (need !== undefined && !args.some((arg) => need.test(arg))) return kinds.any
  return args.every((arg) => output.args.test(arg)) ? output.kind : kinds.any
}
