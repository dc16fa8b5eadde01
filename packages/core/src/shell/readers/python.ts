import { phrase } from '../../base/text/phrase.ts'
import { type CodeVerdict, harmless, namesProcessFile } from './verdict.ts'

/** Stands for string number n in code whose strings were taken out. */
const mark = (index: number): string => `\uE000${index}\uE001`

const words = (text: string): Set<string> => new Set(text.split(' '))

/** Modules from which nothing can be written or started by their own names. */
const safeModules = words(
  'json re math cmath string collections itertools functools datetime time calendar textwrap ' +
    'pprint statistics random decimal fractions copy heapq bisect hashlib hmac base64 binascii ' +
    'struct unicodedata difflib ast tokenize keyword csv configparser tomllib html urllib.parse ' +
    'uuid platform locale glob fnmatch zoneinfo ipaddress shlex secrets zlib numbers contextlib ' +
    'xml.etree.ElementTree os.path collections.abc __future__ errno stat abc enum',
)

/** Of these modules only the names given here are known to read. */
const limited = new Map([
  [
    'os',
    words(
      'path listdir walk getcwd sep linesep stat lstat scandir cpu_count getpid getppid name ' +
        'access uname get_terminal_size fspath curdir pardir extsep R_OK W_OK X_OK F_OK ' +
        'environ environb getenv getenvb getuid getgid getlogin readlink',
    ),
  ],
  [
    'sys',
    words(
      'argv stdin stdout stderr exit version version_info path platform maxsize executable ' +
        'getsizeof byteorder prefix base_prefix getrecursionlimit flags implementation ' +
        'stdlib_module_names builtin_module_names float_info int_info maxunicode hexversion ' +
        'getdefaultencoding getfilesystemencoding api_version copyright',
    ),
  ],
  ['pathlib', words('Path PurePath PosixPath PurePosixPath')],
  ['io', words('StringIO BytesIO TextIOWrapper')],
  ['yaml', words('safe_load safe_load_all __version__')],
  ['inspect', words('getsource getsourcefile getsourcelines getfile getdoc signature isclass')],
  ['importlib.metadata', words('version metadata distributions packages_distributions files')],
  ['urllib.request', words('request parse error')],
  ['toml', words('load loads __version__')],
])

/** Words that start programs, build code or reach behind the rules. */
const opaque = words(
  'exec eval compile getattr setattr delattr globals locals vars importlib subprocess ctypes ' +
    'multiprocessing runpy pickle marshal code codeop breakpoint builtins cffi asyncio pty ' +
    'system popen fork forkpty execv execve execl execlp execvp spawnl spawnv spawnlp posix nt ' +
    'attrgetter methodcaller antigravity webbrowser timeit doctest pdb bdb trace rlcompleter ' +
    'sched signal',
)
const dunders = words(
  '__init__ __name__ __file__ __version__ __doc__ __main__ __str__ __repr__ __len__ __iter__ ' +
    '__next__ __enter__ __exit__ __eq__ __hash__ __lt__ __contains__ __future__ __path__ __all__',
)
const writingMethods = words(
  'write_text write_bytes touch mkdir makedirs unlink rmdir rmtree rename renames symlink_to ' +
    'hardlink_to chmod lchmod chown copyfile copytree copy2 move savetxt save to_csv to_json ' +
    'to_excel to_parquet to_pickle to_sql truncate removedirs symlink extractall extract',
)

/** Judges a python program by its names. What is not known to be harmless says so. */
export function judgePython(source: string): CodeVerdict {
  const { code, strings } = strip(source)
  const verdict: { -readonly [Key in keyof CodeVerdict]: CodeVerdict[Key] } = { ...harmless }
  // The first reason of each kind is told.
  const note: Note = (part) => {
    verdict.writes ??= part.writes ?? null
    verdict.environment ??= part.environment ?? null
    verdict.opaque ??= part.opaque ?? null
    verdict.unclear ??= part.unclear ?? null
  }
  if (namesProcessFile(strings)) note({ environment: phrase('sh_python_names_process_file') })
  const imports = readImports(code)
  if (imports === null) note({ opaque: phrase('sh_import_not_read') })
  // Under another name the environment could not be followed.
  if (/\b(?:environb?|getenvb?)\s+as\b/.test(code))
    note({ environment: phrase('sh_python_renames_environ') })
  const rest = code.replace(importLine, '$1')
  const variables: string[] = []
  verdict.variables = variables
  for (const match of rest.matchAll(/[A-Za-z_]\w*/g)) {
    const [name] = match
    const before = rest[match.index - 1]
    if (opaque.has(name) && !(before === '.' && name === 'code'))
      note({ opaque: phrase('sh_can_run_anything', { name }) })
    else if (/^__\w+__$/.test(name) && !dunders.has(name))
      note({ opaque: phrase('sh_reaches_behind_names', { name }) })
    else if (before === '.' && /^_?(?:os|sys|io|shutil|types)$/.test(name)) {
      note({ opaque: phrase('sh_reached_through_another_module', { name }) })
    } else if (before === '.' && writingMethods.has(name))
      note({ writes: phrase('sh_writes', { program: name }) })
    else if (/^(?:environb?|getenvb?|expandvars)$/.test(name)) {
      const variable = variableAt(rest.slice(match.index + name.length), strings)
      if (variable === null) note({ environment: phrase('sh_python_reads', { name }) })
      else variables.push(variable)
    }
  }
  for (const [name, module] of imports?.modules ?? []) judgeModule(rest, name, module, note)
  for (const name of imports?.unknownNames ?? []) {
    if (calls(rest, name)) note({ unclear: phrase('sh_called', { name }) })
  }
  judgeOpen(rest, strings, note)
  // A tree of elements, a parser of settings and the like save themselves that way.
  if (/(?<!\bstd(?:out|err)(?:\s*\.\s*buffer)?\s*\.\s*)\bwrite\s*\(/.test(rest)) {
    note({ writes: phrase('sh_write_may_save_something') })
  }
  judgeFetch(rest, note)
  const buildsText = /\uE001\s*\+\s*\uE000|\bchr\b|\bdecode\b|\[::-1\]|\bfromhex\b/.test(rest)
  if (buildsText && /\b(?:open|read_text|read_bytes)\b/.test(rest)) {
    note({ environment: phrase('sh_python_opens_file_whose') })
  }
  const usesPaths = /\bPath\b|\bpathlib\b/.test(rest)
  if (usesPaths && /\.replace\s*\([^,()]*\)/.test(rest))
    note({ writes: phrase('sh_replace_moves_file') })
  if (usesPaths && /\.(?:copy|copy_into|move_into)\s*\(/.test(rest))
    note({ writes: phrase('sh_copies_file') })
  return verdict
}

/** The name in `environ['X']`, `environ.get('X', …)` or `getenv('X', …)`. */
function variableAt(after: string, strings: readonly string[]): string | null {
  const use = /^\s*(?:\[|(?:\.\s*get)?\s*\()\s*\uE000(\d+)\uE001\s*[\]),]/.exec(after)
  const name = use === null ? undefined : strings[Number(use[1])]
  return name !== undefined && /^\w+$/.test(name) ? name : null
}

type Note = (part: Partial<CodeVerdict>) => void

function judgeModule(code: string, name: string, module: string, note: Note): void {
  if (safeModules.has(module)) return
  const allowed = limited.get(module)
  if (allowed === undefined) {
    if (calls(code, name)) note({ unclear: phrase('sh_not_known_to_read', { name: module }) })
    return
  }
  const pattern = new RegExp(`(?<![\\w.])${name}\\b(?:\\s*\\.\\s*(\\w+))?`, 'g')
  for (const match of code.matchAll(pattern)) {
    const [, attribute] = match
    if (attribute === undefined) note({ opaque: phrase('sh_handed_around', { module }) })
    else if (!allowed.has(attribute))
      note({ writes: phrase('sh_not_known_to_read', { name: `${module}.${attribute}` }) })
  }
}

function calls(code: string, name: string): boolean {
  const uses = new RegExp(`(?<![\\w.])${name}\\b(?:\\s*\\.\\s*\\w+)*\\s*\\(`, 'g')
  // Asking a module a question by such a name changes nothing.
  return [...code.matchAll(uses)].some(
    ([use]) => !/\.\s*(?:is_\w+|has_\w+|get_version|version|iter_modules)\s*\($/.test(use),
  )
}

interface Imports {
  readonly modules: readonly (readonly [string, string])[]
  readonly unknownNames: readonly string[]
}

const importLine = /(^|[;\n:])[ \t]*(?:import|from)\b[^;\n]*/g

function readImports(code: string): Imports | null {
  const modules: [string, string][] = []
  const unknownNames: string[] = []
  for (const [line] of code.matchAll(importLine)) {
    const text = line.replace(/^[;\n:]?[ \t]*/, '').trim()
    const plain = /^import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)\s*$/.exec(
      text,
    )
    const from = /^from\s+([\w.]+)\s+import\s+\(?([\w\s,]+)\)?$/.exec(text)
    if (plain !== null) {
      for (const each of (plain[1] ?? '').split(',')) {
        const [module = '', , alias] = each.trim().split(/\s+/)
        if (opaque.has(module.split('.')[0] ?? '')) return null
        const bound = alias ?? module.split('.')[0] ?? ''
        modules.push([bound, alias === undefined ? rootOf(module) : module])
      }
    } else if (from !== null) {
      const module = from[1] ?? ''
      if (opaque.has(module.split('.')[0] ?? '')) return null
      const allowed = limited.get(module)
      for (const each of (from[2] ?? '').split(',')) {
        const [name = '', , alias] = each.trim().split(/\s+/)
        if (name === '' || opaque.has(name) || (allowed !== undefined && !allowed.has(name)))
          return null
        if (limited.has(name)) return null
        if (allowed === undefined && !safeModules.has(module)) unknownNames.push(alias ?? name)
      }
    } else {
      return null
    }
  }
  return { modules, unknownNames }
}

/** `import os.path` binds os. */
function rootOf(module: string): string {
  if (safeModules.has(module) && !module.includes('.')) return module
  const root = module.split('.')[0] ?? ''
  return limited.has(root) ? root : module
}

/** open() may only read: no mode, or one that is known and does not write. */
function judgeOpen(code: string, strings: readonly string[], note: Note): void {
  for (const match of code.matchAll(/\bopen\b/g)) {
    const after = /^\s*\(/.exec(code.slice(match.index + 4, match.index + 14))
    if (after === null) {
      note({ opaque: phrase('sh_open_handed_around') })
      continue
    }
    const args = argumentsAt(code, match.index + 4 + after[0].length)
    const isMethod = code[match.index - 1] === '.'
    if (args === null || args.some((arg) => arg.startsWith('*'))) {
      note({ writes: phrase('sh_open_with_mode_not') })
      continue
    }
    const named = args.find((arg) => /^\s*mode\s*=/.test(arg))
    const place =
      isMethod &&
      !/(?:io|codecs|gzip|bz2|lzma)\s*\.$/.test(
        code.slice(Math.max(0, match.index - 12), match.index),
      )
        ? 0
        : 1
    const mode = named?.replace(/^\s*mode\s*=/, '') ?? args[place]
    if (mode === undefined || /^\s*(?:encoding|errors|newline|buffering)\s*=/.test(mode)) continue
    const index = /^\s*\uE000(\d+)\uE001\s*$/.exec(mode)?.[1]
    const text = index === undefined ? null : strings[Number(index)]
    if (text == null || !/^[rbtU]+$/.test(text))
      note({ writes: phrase('sh_open_with_mode_writes') })
  }
}

/** Of urllib.request only fetching an address is known to read; with data it sends. */
function judgeFetch(code: string, note: Note): void {
  for (const match of code.matchAll(/\burllib\s*\.\s*request\b(?:\s*\.\s*(\w+)\s*(\()?)?/g)) {
    const [whole, method, opens] = match
    const args = opens === undefined ? null : argumentsAt(code, match.index + whole.length)
    const rest = args?.slice(1).every((arg) => /^\s*timeout\s*=/.test(arg)) ?? false
    if (method !== 'urlopen' || !rest) note({ unclear: phrase('sh_urllib_request_may_send') })
  }
}

/** The arguments of a call, split at its own commas. */
function argumentsAt(code: string, from: number): string[] | null {
  const args: string[] = []
  let depth = 0
  let start = from
  for (let at = from; at < code.length && at < from + 500; at++) {
    const char = code.charAt(at)
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) {
      if (depth === 0) {
        const last = code.slice(start, at)
        if (last.trim() !== '') args.push(last)
        return args
      }
      depth--
    } else if (char === ',' && depth === 0) {
      args.push(code.slice(start, at))
      start = at + 1
    }
  }
  return null
}

/** Takes strings and comments out; the code inside f-strings stays. */
function strip(source: string): { code: string; strings: string[] } {
  const strings: string[] = []
  let code = ''
  let at = 0
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '#') {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
      continue
    }
    if (char !== "'" && char !== '"') {
      code += char
      at++
      continue
    }
    const triple = source.startsWith(char.repeat(3), at)
    const quote = triple ? char.repeat(3) : char
    const end = closing(source, at + quote.length, quote)
    const text = source.slice(at + quote.length, end)
    const prefix = /[A-Za-z]{0,2}$/.exec(code)?.[0] ?? ''
    code = code.slice(0, code.length - prefix.length)
    if (/^[a-zA-Z]*$/.test(prefix) && !/^(?:[rbuf]|[rb]{2}|r?f|fr|rf)?$/i.test(prefix))
      code += prefix
    code += mark(strings.length)
    strings.push(text.includes('\\') && !/^(?:[^\\]|\\[nrt"'\\])*$/.test(text) ? '\uE002' : text)
    if (/f/i.test(prefix)) code += formatted(text)
    at = end + quote.length
  }
  // Runs of blanks would make the patterns above slow.
  return { code: code.replace(/[ \t]+/g, ' ').replace(/\n+/g, '\n'), strings }
}

function closing(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source.startsWith(quote, at)) return at
  }
  return source.length
}

/** Expressions in the braces of an f-string. */
function formatted(text: string): string {
  let code = ''
  for (const match of text.matchAll(/\{([^{}]*)\}/g)) code += ` (${match[1] ?? ''}) `
  return code.replace(/['"]/g, ' ')
}
