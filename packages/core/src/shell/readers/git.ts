import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnproven, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { applyEntry } from '../programs/apply.ts'
import type { Call } from '../programs/call.ts'
import { parseOptions } from '../programs/options.ts'
import { kinds } from '../scope.ts'
import { staysHere } from '../workspace-files.ts'

/** Settings that hold a command line. */
const commandKeys = new RegExp(
  '^(?:' +
    'core\\.(?:pager|editor|sshcommand|fsmonitor|gitproxy|askpass|alternaterefscommand)|' +
    'alias\\.|pager\\.|sequence\\.editor|diff\\.external|diff\\..*\\.(?:command|textconv)|' +
    'filter\\.|merge\\..*\\.driver|credential\\.(?:.*\\.)?helper|gpg\\.(?:.*\\.)?program|' +
    'interactive\\.difffilter|difftool\\.|mergetool\\.|browser\\.|man\\..*\\.cmd|' +
    'web\\.browser|uploadpack\\.packobjectshook|sendemail\\.|' +
    'trailer\\..*\\.(?:command|cmd)|remote\\..*\\.(?:uploadpack|receivepack|vcs)|' +
    'submodule\\..*\\.update|guitool\\.' +
    ')',
)
/** Settings that are known to change only what is shown. */
const harmlessKeys = new RegExp(
  '^(?:' +
    'color\\.|column\\.|advice\\.|log\\.(?!showsignature|diffmerges)|status\\.|user\\.|' +
    'core\\.(?:quotepath|abbrev|whitespace|autocrlf|eol|safecrlf|precomposeunicode|' +
    'ignorecase|filemode|symlinks|commentchar|preloadindex|' +
    'optionallocks|checkstat|trustctime|bigfilethreshold|longpaths)|' +
    'diff\\.(?:noprefix|mnemonicprefix|algorithm|renames|renamelimit|context|' +
    'colormoved.*|statgraphwidth|submodule|wordregex|interhunkcontext|orderfile|' +
    'ignoresubmodules|relative|dirstat)|' +
    'grep\\.|blame\\.|versionsort\\.|init\\.defaultbranch|' +
    'http\\.(?:sslverify|postbuffer|lowspeedlimit|version)|pack\\.|gc\\.|fetch\\.|pull\\.|' +
    'push\\.|merge\\.(?:conflictstyle|renamelimit|stat|ff)|i18n\\.|' +
    'protocol\\.version|' +
    'commit\\.gpgsign|tag\\.gpgsign|gpg\\.format|transfer\\.|receive\\.|core\\.pager|' +
    'maintenance\\.|rebase\\.|stash\\.|notes\\.displayref|showbranch\\.' +
    ')',
)

/** git: settings on the command line can name programs; then the subcommand's entry decides. */
export function readGit(walk: Walk, call: Call): CommandKind {
  const { args } = call
  let kind: CommandKind = 'read'
  let isElsewhere = walk.scope.moved
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    const { shape } = arg
    if (!shape.startsWith('-')) break
    const glued = /^-c(.+)$/s.exec(shape)?.[1]
    if (shape === '-c' || glued !== undefined) {
      const setting = glued === undefined ? args[++at] : { ...arg, shape: glued }
      if (setting !== undefined && !noteSetting(walk, setting)) kind = 'other'
    } else if (shape.startsWith('--config-env')) {
      const value = shape.includes('=') ? shape : (args[++at]?.shape ?? '')
      noteVariable(walk, value.slice(value.lastIndexOf('=') + 1), arg)
      noteUnproven(walk, 'code', arg, phrase('sh_git_setting_from_variable'))
    } else if (shape.startsWith('--exec-path=')) {
      noteUnproven(walk, 'code', arg, phrase('sh_git_run_parts_from'))
    } else if (/^(?:-C|--git-dir|--work-tree|--namespace|--attr-source)$/.test(shape)) {
      at++
      if (shape !== '-C' || !staysHere(walk, args[at])) isElsewhere = true
    } else if (/^--(?:git-dir|work-tree)=|^--bare$/.test(shape)) isElsewhere = true
  }
  // A folder of the project may be a repository of its own, whose settings start programs.
  if (isElsewhere) {
    kind = 'other'
    noteUnproven(walk, 'place', call.at, phrase('sh_elsewhere', { program: call.title }))
  }
  const applied = applyEntry(walk, call)
  return kind === 'read' ? applied : 'other'
}

function noteSetting(walk: Walk, setting: Arg): boolean {
  const equals = setting.shape.indexOf('=')
  const key = (equals === -1 ? setting.shape : setting.shape.slice(0, equals)).toLowerCase()
  if (key.includes('\0')) {
    noteUnproven(walk, 'code', setting, phrase('sh_git_setting_computed'))
    return false
  }
  const value = equals === -1 ? 'true' : setting.shape.slice(equals + 1)
  if (commandKeys.test(key)) {
    if (/^(?:|false|cat|less|0)$/.test(value)) return true
    if (value.includes('\0')) noteUnproven(walk, 'code', setting, phrase('sh_git_setting_computed'))
    else walk.runText({ ...walk, depth: walk.depth + 1 }, value.replace(/^!/, ''), setting, -1)
    noteUnproven(walk, 'code', setting, phrase('sh_git_setting_names_program', { key }))
    return false
  }
  if (harmlessKeys.test(key)) return true
  noteUnproven(walk, 'option', setting, phrase('sh_git_setting_not_known', { key }))
  return false
}

const readingOptions = new Set(
  '--get --get-all --get-regexp --get-urlmatch -l --list --get-color --get-colorbool'.split(' '),
)
const writingOptions = new Set(
  '--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit'.split(' '),
)

const settled = new RegExp(
  '^(?:--get|--get-all|--get-regexp|--get-urlmatch|-l|--list|--get-color|--get-colorbool|' +
    '--global|--local|--system|--worktree|-f|--file|--blob|--type|--bool|--int|--path|-z|--null|' +
    '--name-only|--show-origin|--show-scope|--show-names|--no-includes|' +
    '--add|--unset|--unset-all|--replace-all|--rename-section|--remove-section|-e|--edit)$',
)

/** git config: asking for a value reads, giving one writes. */
export function readGitConfig(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  const options = call.args.filter((arg) => arg.shape.startsWith('-')).map((arg) => arg.shape)
  const withValue = /^(?:-f|--file|--blob|--type)$/
  const operands = parsed.operands.filter((operand) => {
    const before = call.args[call.args.indexOf(operand) - 1]?.shape ?? ''
    return !withValue.test(before)
  })
  const unknown = options.filter((option) => !settled.test(option.replace(/=.*/s, '')))
  if (unknown.length > 0) {
    noteUnproven(walk, 'option', call.at, phrase('sh_unknown_option', { program: call.title }))
  }
  const asksGet = options.some((option) => readingOptions.has(option))
  const asksSet = options.some((option) => isAbbreviation(option, writingOptions))
  const first = operands[0]?.text
  const isOldRead = asksGet || (operands.length === 1 && !/^(?:set|unset|edit)$/.test(first ?? ''))
  const isNewRead = first === 'get' || first === 'list'
  const doubtful =
    hasLateOption(call.args) || call.args.some((arg) => arg.text === null && arg.kind >= kinds.name)
  if (!asksSet && !doubtful && (isOldRead || isNewRead || call.args.length === 0)) return 'read'
  noteWrite(walk, 'state', null, call.at, phrase('sh_git_config_writes_settings'))
  return 'other'
}

function isAbbreviation(option: string, known: ReadonlySet<string>): boolean {
  if (known.has(option)) return true
  if (!option.startsWith('--') || readingOptions.has(option)) return false
  const name = option.replace(/=.*/s, '')
  return name.length > 3 && [...known].some((each) => each.startsWith(name))
}

/** Behind the first operand git config takes options for values, and so it does behind --file. */
function hasLateOption(args: readonly Arg[]): boolean {
  const first = args.findIndex(({ shape }) => !shape.startsWith('-'))
  const isVerb = /^(?:get|list)$/.test(args[first]?.text ?? '')
  return args.some(({ shape }, index) => {
    if (!shape.startsWith('-')) return false
    const isValue = /^(?:-f|--file|--blob|--type)$/.test(args[index - 1]?.shape ?? '')
    const isLate = first !== -1 && index > first && !isVerb
    return (
      isValue || (isLate && !/^(?:-f|--file|--blob|--type)$/.test(args[first - 1]?.shape ?? ''))
    )
  })
}
