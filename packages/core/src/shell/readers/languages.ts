import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnknown, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind, Span } from '../findings.ts'
import { isStream } from '../input-code.ts'
import type { Call } from '../programs/apply.ts'
import { findProgram } from '../programs/table.ts'
import { judgeJavaScript } from './javascript.ts'
import { judgePerl } from './perl.ts'
import { judgePhp } from './php.ts'
import { judgePython } from './python.ts'
import { judgeOther, judgeRuby } from './ruby.ts'
import { type CodeVerdict, harmless } from './verdict.ts'

type Judge = (code: string) => CodeVerdict

/** How an interpreter takes code on its command line. */
interface Interpreter {
  readonly language: string
  readonly judge: Judge
  /** Options whose value is code; letters may be bundled. */
  readonly code: RegExp
  /** Options with another value, which must not be taken for the script. */
  readonly values: RegExp
  /** Options after which nothing runs. */
  readonly quiet: RegExp
  /** Options that rewrite the files given. */
  readonly inPlace?: RegExp
  /** Options that show the environment, or make variables of it. */
  readonly environment?: RegExp
  /** Options that write files of their own. */
  readonly writing?: RegExp
  /** Options that load code by name. */
  readonly loads?: RegExp
}

const python: Interpreter = {
  language: 'python',
  judge: judgePython,
  code: /^-[bBdEhiIOqsSuvx]*c/,
  values: /^-[bBdEiIOqsSuvx]*[WXQ]$|^--check-hash-based-pycs$/,
  quiet: /^(?:-V+|--version|-h|--help|-\?)$/,
}
const javascript: Interpreter = {
  language: 'javascript',
  judge: judgeJavaScript,
  code: /^(?:-[pe]+|--eval|--print)$|^(?:--eval|--print)=/,
  values: /^(?:-r|-C|--require|--import|--loader|--env-file|--conditions|--input-type|--title)$/,
  quiet: /^(?:-v|--version|-h|--help|--v8-options|--completion-bash)$/,
  loads: /^(?:-r|--require|--import|--loader|--experimental-loader)/,
  writing: new RegExp(
    '^--(?:cpu-prof|heap-prof|prof|redirect-warnings|report-on-signal|report-uncaught-exception|' +
      'report-on-fatalerror|heapsnapshot-.*|trace-event.*|diagnostic-dir|' +
      'test-reporter-destination|' +
      'test-update-snapshots|build-snapshot|logfile|experimental-sea-config)(?:=|-|$)',
  ),
}
const perl: Interpreter = {
  language: 'perl',
  judge: judgePerl,
  code: /^-[acflnpsStTuUvwWX0-7]*(?:F[^eE]*)?[eE]/,
  values: /^-[I]$/,
  quiet: /^(?:-v|-V|--version|--help|-h)$/,
  inPlace: /^-[acflnpsStTuUwWX0-7]*i/,
  environment: /^-\w*[mM]Env\b/,
  loads: /^-[alnpw0]*[mM](?!(?:strict|warnings|List::Util|POSIX|Data::Dumper|JSON::PP|utf8)\b)/,
}
const ruby: Interpreter = {
  language: 'ruby',
  judge: judgeRuby,
  code: /^-[alnpswW]*e/,
  values: /^-[CIr]$/,
  quiet: /^(?:-v|--version|-h|--help)$/,
  inPlace: /^-[alnpsw]*i/,
}
const php: Interpreter = {
  language: 'php',
  judge: judgePhp,
  code: /^-[rBRE]/,
  values: /^-[dczt]$/,
  environment: /^(?:-i|--info)$/,
  loads: /^-d\s*(?:auto_(?:prepend|append)_file|extension|zend_extension)/,
  quiet: /^(?:-v|-m|-i|-h|--version|--ini|--help|-l)$/,
}
const other: Interpreter = {
  language: 'code',
  judge: judgeOther,
  code: /^(?:-e|-E|-c|--eval|--execute|-r|-p|-f|-P)/,
  values: /^-[lI]$/,
  quiet: /^(?:-v|-V|--version|-h|--help)$/,
}

const read =
  (interpreter: Interpreter) =>
  (walk: Walk, call: Call): CommandKind =>
    readInterpreter(walk, call, interpreter)

export const readPython = read(python)
export const readJavaScript = read(javascript)
export const readPerl = read(perl)
export const readRuby = read(ruby)
export const readPhp = read(php)
export const readOtherLanguage = read(other)

/** `deno eval` takes its code as an operand. */
export function readJavaScriptOperand(walk: Walk, call: Call): CommandKind {
  const code = call.args.find((arg) => !arg.shape.startsWith('-'))
  if (code === undefined) return 'read'
  return noteCode(walk, call, javascript, code) ? 'read' : 'other'
}

function readInterpreter(walk: Walk, call: Call, how: Interpreter): CommandKind {
  const { args } = call
  let hasCode = false
  let kind: CommandKind = 'read'
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    const { shape } = arg
    if (how.language === 'javascript' && call.program.subs?.has(shape)) {
      return call.read(walk, {
        program: call.program.subs.get(shape) ?? call.program,
        title: `${call.title} ${shape}`,
        args: args.slice(at + 1),
        at: call.at,
      })
    }
    if (arg.text === null && (shape.startsWith('\0') || shape.startsWith('-'))) {
      if (hasCode) continue
      noteUnknown(walk, 'code', arg, phrase('sh_what_runs_computed', { title: call.title }))
      return 'other'
    }
    if (how.environment?.test(shape)) {
      noteVariable(
        walk,
        null,
        arg,
        phrase('sh_shows_environment', { program: `${call.title} ${shape}` }),
      )
    }
    if (how.quiet.test(shape) && !hasCode) return 'read'
    if (shape === '--') continue
    if (how.inPlace?.test(shape)) {
      kind = 'other'
      noteWrite(walk, 'file', null, arg, phrase('sh_i_rewrites_files', { title: call.title }))
    }
    if (how.writing?.test(shape)) {
      kind = 'other'
      noteWrite(
        walk,
        'file',
        null,
        arg,
        phrase('sh_writes_file', { program: `${call.title} ${shape}` }),
      )
    }
    const setting = how.values.test(shape) ? `${shape} ${args[at + 1]?.shape ?? ''}` : shape
    if (how.loads?.test(setting)) {
      kind = 'other'
      noteUnknown(
        walk,
        'effect',
        arg,
        phrase('sh_loads_code', { program: `${call.title} ${shape}` }),
      )
    }
    const code = how.code.exec(shape)
    if (code !== null) {
      hasCode = true
      const glued = shape.slice(code[0].length).replace(/^=/, '')
      const isGlued = glued !== '' && !/^--(?:eval|print)$/.test(shape)
      const source = isGlued ? { ...arg, text: arg.text === null ? null : glued } : args[++at]
      if (source === undefined) return 'other'
      if (!noteCode(walk, call, how, source)) kind = 'other'
      if (how.language === 'python') return kind
      continue
    }
    if (how.language === 'python' && /^-[bBdEiIOqsSuvx]*m/.test(shape)) {
      return readModule(walk, call, arg, args.slice(at + 1))
    }
    if (how.values.test(shape)) at++
    else if (!shape.startsWith('-') && !hasCode) return readScript(walk, call, how, arg)
    else if (shape === '-') return readScript(walk, call, how, arg)
    else if (how.language === 'perl' && /[|<>]/.test(shape) && !shape.startsWith('-')) {
      noteUnknown(walk, 'code', arg, phrase('sh_perl_opens_such_name'))
    }
  }
  if (hasCode) return kind
  return readScript(walk, call, how, null)
}

/** A script by name passes like any program; code from the input is read when it is there. */
function readScript(walk: Walk, call: Call, how: Interpreter, file: Arg | null): CommandKind {
  const isInput = file === null || file.text === '-' || file.text === '/dev/stdin'
  if (file !== null && !isInput && isStream(file)) {
    noteUnknown(walk, 'code', file, phrase('sh_runs_stream', { program: call.title }))
  } else if (isInput) {
    const { stdin } = walk
    if (stdin.kind === 'text') judgeCode(walk, call, how, stdin.text, stdin.at)
    else if (stdin.kind !== 'empty') {
      noteUnknown(walk, 'code', file ?? call.at, phrase('sh_runs_input', { program: call.title }))
    }
  }
  return 'other'
}

function noteCode(walk: Walk, call: Call, how: Interpreter, source: Arg): boolean {
  if (source.text === null) {
    noteUnknown(walk, 'code', source, phrase('sh_runs_code_computed', { title: call.title }))
    return false
  }
  return judgeCode(walk, call, how, source.text, source)
}

/** Longer code is not read, so that a decision stays quick (SH-13). */
const mostCode = 8 * 1024
const tooLong: CodeVerdict = { ...harmless, opaque: phrase('sh_too_long_read_here') }

function judgeCode(walk: Walk, call: Call, how: Interpreter, code: string, at: Span): boolean {
  const verdict = code.length > mostCode ? tooLong : how.judge(code)
  const { title } = call
  const isHarmless = verdict.unclear === null && verdict.writes === null && verdict.opaque === null
  walk.notes.code.push({
    language: how.language,
    harmless: isHarmless,
    start: at.start,
    end: at.end,
  })
  if (verdict.writes !== null) {
    noteWrite(
      walk,
      'file',
      null,
      at,
      phrase('sh_code_says', { program: title, why: verdict.writes }),
    )
  }
  if (verdict.environment !== null) noteVariable(walk, null, at, verdict.environment)
  for (const name of verdict.variables) noteVariable(walk, name, at)
  if (verdict.opaque !== null)
    noteUnknown(walk, 'code', at, phrase('sh_code_says', { program: title, why: verdict.opaque }))
  else if (verdict.unclear !== null && verdict.writes === null) {
    noteUnknown(
      walk,
      'effect',
      at,
      phrase('sh_code_says', { program: title, why: verdict.unclear }),
    )
  }
  return isHarmless
}

const modulesThatRead = new Set(
  'json.tool pydoc platform site calendar tokenize ast dis sysconfig this'.split(' '),
)
/** Modules that are programs with an entry of their own. */
const modulesWithEntry = new Set(
  (
    'pytest unittest mypy pylint flake8 pyflakes tox nox ruff pip black isort yapf autopep8 ' +
    'coverage poetry uv virtualenv'
  ).split(' '),
)
const modulesThatWrite = new Set(
  (
    'compileall py_compile ensurepip zipapp zipfile tarfile cProfile profile trace lib2to3 ' +
    'idlelib turtledemo gzip pickle venv build webbrowser'
  ).split(' '),
)
const modulesThatServe = new Set(['http.server', 'smtpd'])

/** `python -m`: some modules are programs of their own. */
function readModule(walk: Walk, call: Call, option: Arg, rest: readonly Arg[]): CommandKind {
  const glued = option.shape.slice(option.shape.indexOf('m') + 1)
  const name = glued === '' ? rest[0]?.text : glued
  const args = glued === '' ? rest.slice(1) : rest
  if (name == null) {
    noteUnknown(walk, 'code', option, phrase('sh_module_computed'))
    return 'other'
  }
  if (name === 'json.tool') {
    const operands = args.filter((arg) => !arg.shape.startsWith('-') || arg.shape === '-')
    const target = operands[1]
    if (target !== undefined && target.text !== '-') {
      noteWrite(walk, 'file', target.text, target, phrase('sh_json_tool_writes_second'))
      return 'other'
    }
    return 'read'
  }
  if (modulesThatRead.has(name)) return 'read'
  if (name === 'timeit') {
    // Set-up and statements share their names, so they are one program.
    const lines = args.filter((arg) => !arg.shape.startsWith('-')).map((arg) => arg.text)
    const text = lines.includes(null) ? null : lines.join('\n')
    noteCode(walk, call, python, { ...option, text })
    return 'other'
  }
  if (modulesThatServe.has(name)) return 'other'
  if (modulesWithEntry.has(name)) {
    const program = findProgram(walk.programs, name)
    if (program === undefined) return 'other'
    call.read(walk, { program, title: `python -m ${name}`, args, at: call.at })
    return 'other'
  }
  if (modulesThatWrite.has(name)) {
    const isListing = (name === 'zipfile' || name === 'tarfile') && args[0]?.shape === '-l'
    if (!isListing)
      noteWrite(walk, 'file', null, call.at, phrase('sh_python_m_writes_files', { name }))
  }
  return 'other'
}
