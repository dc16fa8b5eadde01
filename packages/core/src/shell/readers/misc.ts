import { phrase } from '../../base/text/phrase.ts'
import { type Arg, isSink, noteUnproven, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { noteInput } from '../input-code.ts'
import { applyEntry } from '../programs/apply.ts'
import type { Call } from '../programs/call.ts'
import { asksForHelp, noteOptions, noteUnclear, runCommandLine } from '../programs/effects.ts'
import { parseOptions } from '../programs/options.ts'
import { compileOptions } from '../programs/table.ts'
import { kinds } from '../scope.ts'

/** dd writes what `of=` names; without it, it prints. */
export function readDd(walk: Walk, call: Call): CommandKind {
  let kind: CommandKind = 'read'
  for (const arg of call.args) {
    if (/^[\0*?[]/.test(arg.shape) && (arg.kind >= kinds.name || /^\0+\w+=/.test(arg.shape))) {
      noteUnproven(walk, 'option', arg, phrase('sh_may_become_operand_dd'))
      kind = 'other'
    }
    if (!arg.shape.startsWith('of=')) continue
    const path = arg.text?.slice(3) ?? null
    if (path !== null && isSink(path)) continue
    kind = 'other'
    noteWrite(walk, 'file', path, arg, phrase('sh_dd_writes_file'))
  }
  return kind
}

/** less: `+` starts a command of its own, of which `!` and `|` run a shell. */
export function readLess(walk: Walk, call: Call): CommandKind {
  const args: Arg[] = []
  let isPlain = true
  for (const arg of call.args) {
    if (!arg.shape.startsWith('+')) {
      args.push(arg)
    } else if (arg.text === null || !/^\+{1,2}(?:\d+|[GFg]|\/[^\n]*)?$/.test(arg.text)) {
      isPlain = false
      noteUnproven(walk, 'code', arg, phrase('sh_start_up_command_not'))
    }
  }
  const kind = applyEntry(walk, { ...call, args })
  return isPlain ? kind : 'other'
}

export function readOpaque(walk: Walk, call: Call): CommandKind {
  if (asksForHelp(call)) return 'read'
  noteUnproven(walk, 'code', call.at, phrase('sh_runs_programs_way_not', { title: call.title }))
  return 'other'
}

/** jq only reads, but its programs see the environment. */
export function readJq(walk: Walk, call: Call): CommandKind {
  const kind = applyEntry(walk, call)
  // A program from a file may read the environment as well.
  if (call.args.some(({ shape }) => /^(?:-\w*f|--from-file)/.test(shape))) {
    noteVariable(walk, null, call.at, phrase('sh_program_reads_environment'))
  }
  for (const arg of call.args) {
    const text = arg.shape
    // A piece of a program may be any program.
    const isProgram = arg === call.args.find(({ shape }) => !shape.startsWith('-'))
    const isPiece = isProgram ? text.includes('\0') : /[^\0]\0|\0[^\0]/.test(text)
    if (isPiece && arg.kind >= kinds.path) {
      noteVariable(walk, null, arg, phrase('sh_program_reads_environment'))
    }
    if (text.length > 2048) {
      noteVariable(walk, null, arg, phrase('sh_program_too_long_read'))
      continue
    }
    const whole = text.replace(/"(?:[^"\\]|\\[^(])*"/g, '""')
    // A variable that is read by its literal name is just that one.
    const code = whole.replace(
      /(?:\$ENV|(?<![.\w"$])env)\.([A-Za-z_]\w*)/g,
      (_use, name: string) => {
        noteVariable(walk, name, arg)
        return '0'
      },
    )
    // A module is code from a file, and yq reads names and programs from data.
    const loads = /\b(?:include|import)\s*"/.test(code)
    const isOther = call.title !== 'jq' && /\b(?:envsubst|strenv|load\w*|eval)\b/.test(code)
    if (loads || isOther) {
      noteVariable(walk, null, arg, phrase('sh_program_reads_environment'))
    } else if (/\$ENV\b/.test(code) || /(?<![.\w"$])env\b(?!\s*:)/.test(code)) {
      noteVariable(walk, null, arg, phrase('sh_program_reads_environment'))
    } else if (/\b(?:strenv|envsubst|env)\s*\(/.test(code)) {
      noteVariable(walk, null, arg, phrase('sh_program_reads_environment'))
    }
    if (/\bsystem\s*\(|\bload\s*\(|\bsplit-exp/.test(code) && call.title !== 'jq') {
      noteUnproven(walk, 'option', arg, phrase('sh_program_can_do_more'))
    }
  }
  return kind
}

const sshPrograms = new RegExp(
  '^\\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|PKCS11Provider|' +
    'SecurityKeyProvider|XAuthLocation|ForkAfterAuthentication|Include)',
  'i',
)

/** ssh runs a command line on another machine; some of its options run one here. */
export function readSsh(walk: Walk, call: Call): CommandKind {
  const { args } = call
  const withValue = /^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOopQRSWw]$/
  let at = 0
  let isQuiet = false
  for (; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    const { shape } = arg
    if (
      arg.text === null &&
      !shape.startsWith('-') &&
      arg.kind >= kinds.name &&
      shape.startsWith('\0')
    ) {
      noteUnproven(walk, 'option', arg, phrase('sh_may_become_option_ssh'))
      return 'other'
    }
    if (!shape.startsWith('-') || shape === '--') break
    if (/^-[46AaCfGgKkMNnqsTtvXxYy]*[VQG]/.test(shape)) isQuiet = true
    const option = /^-[46AaCfGgKkMNnqsTtVvXxYy]*([BbcDEeFIiJLlmOopQRSWw])(.*)$/s.exec(shape)
    if (/^-[46AaCGgKkMNnqsTtVvXxYy]*f/.test(shape)) {
      walk.notes.background.push({
        start: arg.start,
        end: arg.end,
        message: phrase('sh_ssh_f_runs'),
      })
    }
    const value = option?.[2] === '' ? args[at + 1] : arg
    const text = option?.[2] === '' ? args[at + 1]?.text : option?.[2]
    if (option?.[1] === 'o') noteSshOption(walk, text ?? null, value ?? arg)
    if (option?.[1] === 'E')
      noteWrite(walk, 'file', text ?? null, arg, phrase('sh_ssh_e_writes_log'))
    if (option?.[1] === 'F' || option?.[1] === 'I') {
      noteUnproven(walk, 'option', arg, phrase('sh_ssh_loads_file_can'))
    }
    if (withValue.test(shape)) at++
  }
  if (isQuiet) return 'read'
  const rest = args.slice(at + 1)
  if (rest.length === 0) {
    if (walk.stdin.kind !== 'empty') noteInput(walk, 'ssh', call.at)
    return 'other'
  }
  if (rest.some((arg) => arg.text === null)) {
    noteUnproven(walk, 'code', call.at, phrase('sh_ssh_runs_command_line'))
    return 'other'
  }
  const text = rest.map((arg) => arg.text).join(' ')
  const first = rest[0] as Arg // The index is inside the list.
  const span = { start: first.start, end: rest.at(-1)?.end ?? first.end }
  walk.runText(
    { ...walk, depth: walk.depth + 1 },
    text,
    span,
    rest.length === 1 ? first.verbatim : -1,
  )
  return 'other'
}

function noteSshOption(walk: Walk, text: string | null, at: Arg): void {
  if (text === null) noteUnproven(walk, 'option', at, phrase('sh_option_ssh_computed'))
  else if (/^\s*SendEnv/i.test(text)) noteVariable(walk, null, at, phrase('sh_ssh_sends_variables'))
  else if (sshPrograms.test(text)) {
    const command = text.replace(/^\s*\w+\s*[= ]?\s*/, '')
    if (command === 'none') return
    runCommandLine(walk, { ...at, text: command, verbatim: -1 }, at)
    noteUnproven(walk, 'option', at, phrase('sh_ssh_runs_program_option'))
  }
}

/** `npm run env` prints the environment; other scripts run by name. */
export function readNpmRun(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  const script = parsed.operands[0]
  if (script?.text === 'env') noteVariable(walk, null, script, phrase('sh_npm_run_env_prints'))
  return applyEntry(walk, call)
}

/** make runs recipes by name; a variable with anything but plain words in it may be code. */
export function readMake(walk: Walk, call: Call): CommandKind {
  for (const { shape, ...arg } of call.args) {
    const assignment = /^([^\s=]+?)(?::{1,3}|\?|\+|!)?=(.*)$/s.exec(shape)
    if (assignment === null || shape.startsWith('-')) continue
    const [, name = '', value = ''] = assignment
    if (codeNames.test(name) || !/^[\w.,/ -]*$/.test(value) || /!=/.test(shape)) {
      noteUnproven(walk, 'code', { ...arg }, phrase('sh_make_variable_can_run'))
    }
  }
  return applyEntry(walk, call)
}

const codeNames =
  /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKEFILES|MAKE|GNUMAKEFLAGS|CC|CXX|LD|AR|AS|FC|.*\$.*)$/

/** Such a program rewrites files unless it is told to check, and keeps a cache all the same. */
export function readOnlyChecks(walk: Walk, call: Call): CommandKind {
  const isChecking = call.args.some((arg) => arg.text === '--check' || arg.text === '--diff')
  if (!isChecking && !asksForHelp(call)) {
    noteWrite(
      walk,
      'file',
      null,
      call.at,
      phrase('sh_changes_files', { title: call.title, shape: '' }),
    )
  }
  return applyEntry(walk, call)
}

/** perl and ruby rewrite files with -i, whatever their code does. */
export function readInPlace(walk: Walk, call: Call): CommandKind {
  for (const arg of call.args) {
    if (!arg.shape.startsWith('-')) break
    if (/^-[acflnpsStTuUwWX0-9]*i/.test(arg.shape)) {
      noteWrite(walk, 'file', null, arg, phrase('sh_i_rewrites_files', { title: call.title }))
    }
  }
  const isVersion = call.args.length === 1 && call.args[0]?.text === '-v'
  return isVersion ? 'read' : applyEntry(walk, call)
}

/** cargo fmt hands what stands behind two dashes on to rustfmt. */
export function readCargoFmt(walk: Walk, call: Call): CommandKind {
  if (call.args.some((arg) => arg.text === '--check')) {
    noteUnproven(walk, 'runner', call.at, phrase('sh_unproven', { program: call.title }))
    return 'other'
  }
  return applyEntry(walk, call)
}

const awsOptions = compileOptions({
  does: 'read',
  options: {
    code: '--cli-input-json: --cli-input-yaml: --endpoint-url: --ca-bundle:',
    flag:
      '--profile: --region: --output: --query: --max-items: --page-size: --no-paginate ' +
      '--no-cli-pager --filters: --filter: --instance-ids: --stack-name: --function-name: ' +
      '--cluster: --bucket: --prefix: --log-group-name: --name: --names: --recursive ' +
      '--human-readable --summarize',
  },
})
/** No answer of these is a stream, so that none of them names a file to save it in. */
const awsReads = /^(?:describe|list)-[a-z0-9-]+$|^get-caller-identity$/

/** `aws ec2 describe-…` and `aws s3 ls` ask; everything else may change the cloud. */
export function readAws(walk: Walk, call: Call): CommandKind {
  // Files and settings that its words name are read, and what they hold is sent.
  noteUnproven(walk, 'runner', call.at, phrase('sh_unknown_program', { program: call.title }))
  const parsed = parseOptions(awsOptions, call.args)
  const [service, verb, ...rest] = parsed.operands.map((arg) => arg.text)
  const isListing = service === 's3' && verb === 'ls' && rest.length < 2
  if (!isListing && (rest.length > 0 || !awsReads.test(verb ?? ''))) return applyEntry(walk, call)
  noteUnclear(walk, { ...call, program: awsOptions }, parsed)
  return parsed.unknown.length === 0 ? 'read' : 'other'
}

/** cmake: its -E tools are small programs; the rest writes build files. */
export function readCmake(walk: Walk, call: Call): CommandKind {
  const [first, tool] = call.args
  if (asksForHelp(call)) return 'read'
  if (call.args.some(({ text }) => text === '-N')) {
    // It shows the cache, but runs the scripts of the project on the way.
    noteUnproven(walk, 'runner', call.at, phrase('sh_unproven', { program: 'cmake -N' }))
    return 'other'
  }
  if (first?.text === '-E') {
    if (tool?.text === 'environment') {
      noteVariable(walk, null, tool, phrase('sh_cmake_prints_environment'))
    } else if (
      !/^(?:cat|echo|md5sum|sha256sum|compare_files|true|false|sleep)$/.test(tool?.text ?? '')
    ) {
      noteWrite(walk, 'file', null, call.at, phrase('sh_cmake_e_can_change'))
    }
    return 'other'
  }
  noteWrite(walk, 'file', null, call.at, phrase('sh_cmake_writes_build_files'))
  return 'other'
}

/** tsc takes its options in any case, and `--noEmit false` emits. */
export function readTsc(walk: Walk, call: Call): CommandKind {
  const args: Arg[] = []
  let checks = false
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as Arg // The index is inside the list.
    const value = call.args[at + 1]?.shape.toLowerCase()
    const isSwitch = arg.shape.startsWith('-') && (value === 'false' || value === 'true')
    const isNoEmit = /^--?noemit$/i.test(arg.shape)
    if (isNoEmit) checks = value !== 'false'
    else if (value !== 'false' || !isSwitch) args.push(arg)
    if (isSwitch) at++
  }
  const list = args.find(({ text, shape }) => text === null || shape.startsWith('@'))
  if (list !== undefined) {
    noteUnproven(walk, 'option', list, phrase('sh_unknown_option', { program: 'tsc' }))
  }
  if (!checks) return applyEntry(walk, { ...call, args })
  // The project's settings may have it keep what it found.
  noteUnproven(walk, 'runner', call.at, phrase('sh_unproven', { program: 'tsc --noEmit' }))
  const parsed = parseOptions(call.program, args)
  noteUnclear(walk, call, parsed)
  noteOptions(walk, call, parsed.used)
  return 'other'
}
