import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnproven, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import type { Call } from '../programs/call.ts'
import { mayBeOption } from '../programs/options.ts'
import { kinds } from '../scope.ts'

const tests = new Set(
  (
    '-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group ' +
    '-ilname -iname -inum ' +
    '-ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex ' +
    '-regextype -samefile -size -type -uid -used -user -wholename -xtype -maxdepth -mindepth ' +
    '-printf -D -newerXY -Bmin -Btime -flags'
  ).split(' '),
)
const plain = new Set(
  (
    '-and -a -or -o -not -print -print0 -ls -prune -quit -empty -executable -readable -writable ' +
    '-true -false -nouser -nogroup -daystart -depth -d -follow -mount -xdev ' +
    '-noleaf -warn -nowarn ' +
    '-ignore_readdir_race -noignore_readdir_race -help --help -version --version ' +
    '-H -L -P -E -X -x -s -f'
  ).split(' '),
)
const files = new Set(['-fprint', '-fprint0', '-fls'])
const runs = new Set(['-exec', '-execdir', '-ok', '-okdir'])

/** find: tests read; -delete and -fprint write; -exec starts a program per file. */
export function readFind(walk: Walk, call: Call): CommandKind {
  const { args } = call
  let kind: CommandKind = 'read'
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    const word = arg.text
    if (word === null) {
      if (mayBeOption(arg) || arg.shape.startsWith('-')) {
        const what = arg.kind === kinds.any && arg.splits ? 'code' : 'computed'
        noteUnproven(walk, what, arg, phrase('sh_may_become_action_find'))
        kind = 'other'
      }
      continue
    }
    if (!word.startsWith('-') || word === '-' || word === '--') continue
    if (runs.has(word)) {
      at = runAction(walk, args, at)
    } else if (word === '-delete') {
      kind = 'other'
      noteWrite(walk, 'file', null, arg, phrase('sh_find_delete_removes_files'))
    } else if (files.has(word) || word === '-fprintf') {
      kind = 'other'
      const file = args[at + 1]
      noteWrite(
        walk,
        'file',
        file?.text ?? null,
        file ?? arg,
        phrase('sh_writes_file', { program: `find ${word}` }),
      )
      at += word === '-fprintf' ? 2 : 1
    } else if (tests.has(word) || /^-newer[aBcm][aBcmt]$/.test(word)) {
      const value = args[++at]
      if (value?.splits && value.text === null && value.kind >= kinds.path) {
        noteUnproven(walk, 'computed', value, phrase('sh_may_become_action_find'))
      }
    } else if (!plain.has(word) && !/^-O\d$/.test(word)) {
      kind = 'other'
      noteUnproven(walk, 'option', arg, phrase('sh_action_find_not_known'))
    }
  }
  return kind
}

/** The command of an action ends at `;` or at `{} +`. */
function runAction(walk: Walk, args: readonly Arg[], from: number): number {
  const words: Arg[] = []
  let at = from + 1
  for (; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    if (arg.text === ';') break
    if (arg.text === '+' && args[at - 1]?.text === '{}') break
    words.push(found(arg))
  }
  const first = args[from] as Arg // The index is inside the list.
  const last = args[Math.min(at, args.length - 1)] as Arg // The index is inside the list.
  if (words.length > 0) {
    const moves = first.text === '-execdir' || first.text === '-okdir'
    const scope = moves ? { ...walk.scope, moved: true } : walk.scope
    walk.runArgs({ ...walk, scope, via: 'program' }, words, {
      start: first.start,
      end: last.end,
    })
  }
  return at
}

/** `{}` is the path of a file, which begins with a folder and so is no option. */
function found(arg: Arg): Arg {
  if (arg.text === null || !arg.text.includes('{}')) return arg
  return {
    ...arg,
    text: null,
    shape: arg.text.replaceAll('{}', '\0'),
    kind: kinds.path,
    verbatim: -1,
  }
}
