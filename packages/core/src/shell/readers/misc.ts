import { phrase } from '../../base/text/phrase.ts'
import { type Arg, isSink, noteUnknown, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { noteInput } from '../input-code.ts'
import {
  applyEntry,
  type Call,
  noteOptions,
  noteUnclear,
  runCommandLine,
} from '../programs/apply.ts'
import { parseOptions, type Used } from '../programs/options.ts'

/** dd writes what `of=` names; without it, it prints. */
export function readDd(walk: Walk, call: Call): CommandKind {
  let kind: CommandKind = 'read'
  for (const arg of call.args) {
    if (arg.shape.startsWith('\0') && arg.kind >= 3) {
      noteUnknown(walk, 'option', arg, phrase('sh_may_become_operand_dd'))
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
  let kind: CommandKind = 'read'
  for (const arg of call.args) {
    const { shape } = arg
    if (/^(?:-[a-zA-Z~]*[oO]|--(?:log-file|LOG-FILE))/.test(shape)) {
      kind = 'other'
      noteWrite(
        walk,
        'file',
        null,
        arg,
        phrase('sh_writes_log_file', { title: call.title, shape: shape.slice(0, 2) }),
      )
    } else if (shape.startsWith('+')) {
      const command = /^\+{1,2}\s*[!|]\s*(.*)$/s.exec(arg.text ?? '')?.[1]
      if (
        arg.text === null ||
        (command === undefined && !/^\+{1,2}(?:\d+|[GFg]|\/[^\n]*)?$/.test(shape))
      ) {
        kind = 'other'
        noteUnknown(walk, 'code', arg, phrase('sh_start_up_command_not'))
      } else if (command !== undefined) {
        kind = 'other'
        runCommandLine(walk, { ...arg, text: command, verbatim: -1 }, arg)
      }
    } else if (/^(?:-[a-zA-Z]*k|--lesskey)/.test(shape)) {
      kind = 'other'
      noteUnknown(walk, 'code', arg, phrase('sh_key_file_can_hold'))
    }
  }
  return kind
}

/** dc runs what follows an exclamation mark. */
export function readDc(walk: Walk, call: Call): CommandKind {
  const risky = call.args.find((arg) => arg.text === null || /!(?![<>=])/.test(arg.text))
  if (risky !== undefined) noteUnknown(walk, 'code', risky, phrase('sh_dc_can_run_commands'))
  const { stdin } = walk
  const fromInput = stdin.kind === 'unknown' || (stdin.kind === 'text' && stdin.text.includes('!'))
  if (fromInput && call.args.length === 0) {
    noteUnknown(walk, 'code', call.at, phrase('sh_dc_can_run_commands'))
  }
  return risky === undefined && !fromInput ? 'read' : 'other'
}

export function readOpaque(walk: Walk, call: Call): CommandKind {
  if (call.args.some((arg) => /^--(?:version|help)$/.test(arg.shape))) return 'read'
  noteUnknown(walk, 'code', call.at, phrase('sh_runs_programs_way_not', { title: call.title }))
  return 'other'
}

/** jq only reads, but its programs see the environment. */
export function readJq(walk: Walk, call: Call): CommandKind {
  const kind = applyEntry(walk, call)
  for (const arg of call.args) {
    const text = arg.shape
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
    if (/\$ENV\b/.test(code) || /(?<![.\w"$])env\b(?!\s*:)/.test(code)) {
      noteVariable(walk, null, arg, phrase('sh_program_reads_environment'))
    } else if (/\b(?:strenv|envsubst|env)\s*\(/.test(code)) {
      noteVariable(walk, null, arg, phrase('sh_program_reads_environment'))
    }
    if (/\bsystem\s*\(|\bload\s*\(|\bsplit-exp/.test(code) && call.title !== 'jq') {
      noteUnknown(walk, 'effect', arg, phrase('sh_program_can_do_more'))
    }
  }
  return kind
}

const methodOption = /^(?:-X|--request|--method)$/

/** `gh api graphql -f query='query { … }'`: a query reads, a mutation does not. */
function asksGraph(operand: Arg | undefined, used: readonly Used[]): boolean {
  if (operand?.text !== 'graphql') return false
  const queries = used.filter(({ value }) => value?.shape.startsWith('query='))
  return (
    queries.length === 1 &&
    /^query=\s*(?:query\b|\{)(?!.*mutation)/s.test(queries[0]?.value?.text ?? '')
  )
}

/** curl sends as soon as a method or data says so. */
export function readCurl(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  noteUnclear(walk, call, parsed.unclear)
  const method = parsed.used.findLast(({ option }) => methodOption.test(option.name))
  const isGet =
    method?.value?.text === 'GET' ||
    asksGraph(parsed.operands[0], parsed.used) ||
    parsed.used.some(({ option }) => option.name === '-G' || option.name === '--get')
  // With GET, fields are a query.
  const used = parsed.used.filter(({ option }) => {
    const isField = /^(?:-d|--data.*|-f|--raw-field|--field)$/.test(option.name)
    return !(isGet && option.role === 'change' && isField)
  })
  const outcome = noteOptions(
    walk,
    call,
    used.filter(({ option }) => option.role !== 'variable'),
  )
  if (outcome.isQuiet) return 'read'
  let sends = outcome.changes
  for (const at of outcome.writing) {
    sends = true
    noteWrite(
      walk,
      'file',
      null,
      at,
      phrase('sh_saves_file', { title: call.title, shape: at.shape }),
    )
  }
  for (const { option, value, at } of used) {
    if (option.role === 'variable') {
      if (value?.text === null || value?.shape.startsWith('%')) {
        noteVariable(walk, value.text?.slice(1).replace(/[=@].*/s, '') ?? null, value)
      }
      continue
    }
    if (/^(?:-w|--write-out)$/.test(option.name) && value?.shape.includes('%output{')) {
      sends = true
      noteWrite(walk, 'file', null, value, phrase('sh_curl_w_writes_file'))
    }
    if (!methodOption.test(option.name)) continue
    if (value?.text != null && /^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/i.test(value.text)) continue
    sends = true
    noteWrite(
      walk,
      'state',
      null,
      value ?? at,
      phrase('sh_changes_server', { title: call.title, name: option.name }),
    )
  }
  return sends ? 'other' : 'read'
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
    if (arg.text === null && !shape.startsWith('-') && arg.kind >= 3 && shape.startsWith('\0')) {
      noteUnknown(walk, 'option', arg, phrase('sh_may_become_option_ssh'))
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
      noteUnknown(walk, 'effect', arg, phrase('sh_ssh_loads_file_can'))
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
    noteUnknown(walk, 'code', call.at, phrase('sh_ssh_runs_command_line'))
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
  if (text === null) noteUnknown(walk, 'option', at, phrase('sh_option_ssh_computed'))
  else if (/^\s*SendEnv/i.test(text)) noteVariable(walk, null, at, phrase('sh_ssh_sends_variables'))
  else if (sshPrograms.test(text)) {
    const command = text.replace(/^\s*\w+\s*[= ]?\s*/, '')
    if (command === 'none') return
    runCommandLine(walk, { ...at, text: command, verbatim: -1 }, at)
    noteUnknown(walk, 'effect', at, phrase('sh_ssh_runs_program_option'))
  }
}

/** `npm run env` prints the environment; other scripts run by name. */
export function readNpmRun(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  noteOptions(walk, call, parsed.used)
  const script = parsed.operands[0]
  if (script === undefined) return 'read'
  if (script.text === 'env') noteVariable(walk, null, script, phrase('sh_npm_run_env_prints'))
  return 'other'
}

/** make runs recipes by name; a makefile from the input is code. */
export function readMake(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  for (const { option, value } of parsed.used) {
    if (!/^(?:-f|--file|--makefile)$/.test(option.name) || value === null) continue
    if (value.text === '-' || value.process !== '' || value.text?.startsWith('/dev/')) {
      noteUnknown(walk, 'code', value, phrase('sh_makefile_from_input'))
    }
  }
  for (const operand of parsed.operands) {
    const assignment = /^(SHELL|CC|CXX|LD|AR|MAKEFLAGS|.*\$\(.*)(?::|\?|\+)?=/.exec(operand.shape)
    if (assignment !== null || /=.*\$[({]?(?:shell|eval)/.test(operand.shape)) {
      noteUnknown(walk, 'code', operand, phrase('sh_make_variable_can_run'))
    }
  }
  noteOptions(
    walk,
    call,
    parsed.used.filter(({ option }) => option.role === 'environment'),
  )
  const isDry = parsed.used.some(({ option }) => option.name === '-n' || option.name === '-q')
  if (isDry && /^(?:g|b)?make$/.test(call.title)) return 'other'
  return applyEntry(walk, call)
}

/** cargo fmt hands what stands behind two dashes on to rustfmt. */
export function readCargoFmt(walk: Walk, call: Call): CommandKind {
  if (call.args.some((arg) => arg.text === '--check')) return 'read'
  return applyEntry(walk, call)
}

/** `aws s3 cp s3://… -` prints an object. */
export function readAws(walk: Walk, call: Call): CommandKind {
  const { operands } = parseOptions(call.program, call.args)
  const [service, verb, from, to] = operands.map((arg) => arg.text)
  const prints = service === 's3' && verb === 'cp' && from?.startsWith('s3://') && to === '-'
  return prints ? 'read' : applyEntry(walk, call)
}

/** cmake: its -E tools are small programs; the rest writes build files. */
export function readCmake(walk: Walk, call: Call): CommandKind {
  const [first, tool] = call.args
  if (first?.text === '--version' || first?.text === '--help') return 'read'
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
  for (const [index, arg] of call.args.entries()) {
    const isNoEmit = /^--?noemit$/i.test(arg.shape)
    const next = call.args[index + 1]?.shape ?? ''
    if (isNoEmit && /^false$/i.test(next)) continue
    args.push(isNoEmit ? { ...arg, shape: '--noEmit' } : arg)
  }
  return applyEntry(walk, { ...call, args })
}
