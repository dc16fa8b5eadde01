import type { ShellFindings } from '@statewright/core/internal'

/**
 * Programs that see nothing of a folder that they are given: they say its name, stand in it, or
 * read files alone. Anyone who is not among them may go through all that lies below.
 */
const seesNoFolder: ReadonlySet<string> = new Set(
  (
    '[ [[ : alias awk basename bg break cat cd chdir cmp column comm continue cut date ' +
    'declare df dirname dirs echo egrep env eval exec exit expand export expr false fg fgrep ' +
    'file fmt fold gawk getopts git grep hash head hexdump history hostname iconv id jobs ' +
    'join jq let local logname ls make mapfile mawk md5sum mkdir mktemp nawk nl nproc od ' +
    'paste popd printf pushd pwd read readarray readlink readonly realpath return rev sed seq ' +
    'set sha256sum shift shopt shuf sleep sort source split stat strings tac tail tee test ' +
    'times touch tput tr trap true tty type typeset ulimit umask uname unexpand uniq unset ' +
    'wait wc which who whoami xxd yq'
  ).split(' '),
)

/** Programs that only say what is there: by themselves they give no key away. */
const listers: ReadonlySet<string> = new Set('find fd fdfind du tree locate plocate'.split(' '))
const everywhere: ReadonlySet<string> = new Set(['locate', 'plocate'])

/** Of those: options by which they do something with what they found. */
const acting = /^-(?:exec|ok|delete|fprint|fls|x$|X$)|^--exec/

/** Programs that begin where the command stands when no folder is named. */
const startHere: ReadonlySet<string> = new Set(
  'find fd fdfind tree rg ag ack ls grep egrep fgrep git'.split(' '),
)

/** The words of a command that name folders which it goes through as a whole. */
export function searchedWords(shell: ShellFindings): (string | null)[] {
  const listsOnly = onlyLists(shell)
  return shell.commands.flatMap(({ words }) => {
    const program = programOf(words)
    if (!goesThrough(program, words) || (listsOnly && listers.has(program))) return []
    if (everywhere.has(program)) return ['/']
    return beginsHere(program, words) ? ['.', ...words.slice(1)] : words.slice(1)
  })
}

function beginsHere(program: string, words: readonly (string | null)[]): boolean {
  return startHere.has(program) && !(greps.has(program) && saysWhereToGrep(words.slice(1)))
}

const greps: ReadonlySet<string> = new Set('grep egrep fgrep'.split(' '))

/** Flags alone, so that no word is an option's value, then a pattern, then what is searched. */
function saysWhereToGrep(words: readonly (string | null)[]): boolean {
  const first = words.findIndex((word) => word === null || !/^-[rRnHhiIlLcovwxEFPsq]+$/.test(word))
  const operands = first < 0 ? [] : words.slice(first)
  return operands.length > 1 && !operands.some((word) => word === null || word.startsWith('-'))
}

/** Nothing opens what its lists name. */
function onlyLists(shell: ShellFindings): boolean {
  if (hidesFile(shell) || (shell.unproven ?? []).some(({ what }) => takesCode.has(what))) {
    return false
  }
  return shell.commands.every(({ words }) => {
    const program = programOf(words)
    if (listers.has(program)) return !words.some((word) => acting.test(word ?? ''))
    return !/awk$/.test(program) && !goesThrough(program, words)
  })
}

const takesCode: ReadonlySet<string> = new Set(['code', 'input'])

function goesThrough(program: string, words: readonly (string | null)[]): boolean {
  const has = (option: RegExp) => words.some((word) => option.test(word ?? ''))
  if (greps.has(program)) {
    return has(/^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive|^--directories=recurse/)
  }
  switch (program) {
    case '':
      return false
    case 'ls':
      return has(/^-[a-zA-Z]*R|^--recursive/)
    case 'git':
      return has(/^--no-index/)
    default:
      return !seesNoFolder.has(program)
  }
}

/** Some file that it opens is named only when it runs. */
export function hidesFile({ commands }: ShellFindings): boolean {
  return commands.some(({ words }) => {
    const program = programOf(words)
    if (program === 'xargs' || program === 'parallel') return true
    if (words.some((word) => word?.startsWith('--files0-from') === true)) return true
    return !saysOnly.has(program) && words.slice(1).includes(null)
  })
}

const saysOnly: ReadonlySet<string> = new Set(
  'echo printf test [ [[ cd pushd export local declare readonly read set unset : true let'.split(
    ' ',
  ),
)

/** A small language stands in it, whose words may name a file in any way. */
export function holdsLanguage({ commands }: ShellFindings): boolean {
  return commands.some(({ words }) => languages.has(programOf(words)))
}

const languages: ReadonlySet<string> = new Set('awk gawk mawk nawk sed sqlite3 jq'.split(' '))

/** The command with a star for everything that a shell would put in. */
export function withStars(command: string): string {
  return (
    command
      .replaceAll(/\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|\$\{(?!HOME\})[^}]*\}/g, '*')
      .replaceAll(/\$(?!HOME\b)\w+|\$[@*!#?$-]/g, '*')
      // Quotes within a word are no part of it.
      .replaceAll(/(?<=\S)["']|["'](?=[^\s"'])/g, '')
  )
}

export function programOf(words: readonly (string | null)[]): string {
  return (words[0] ?? '').split('/').at(-1) ?? ''
}
