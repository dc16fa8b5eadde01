import { phrase } from '../../base/text/phrase.ts'
import { type CodeVerdict, harmless, namesProcessFile } from './verdict.ts'

const words = (text: string): Set<string> => new Set(text.split(' '))

const safeModules = words(
  'path url util os querystring crypto assert events buffer string_decoder punycode perf_hooks ' +
    'timers',
)
const runningModules = words(
  'child_process vm module worker_threads cluster repl inspector v8 process async_hooks ' +
    'diagnostics_channel wasi sqlite test',
)
const readingFs = words(
  'readFileSync readdirSync existsSync statSync lstatSync realpathSync accessSync readlinkSync ' +
    'readFile readdir stat lstat realpath access readlink createReadStream constants promises ' +
    'opendirSync exists',
)
const readingProcess = words(
  'version versions argv argv0 platform arch cwd exit exitCode stdout stdin stderr memoryUsage ' +
    'uptime hrtime pid ppid title nextTick release features execPath execArgv env ' +
    'getuid on once ' +
    'cpuUsage resourceUsage emitWarning',
)
const opaque = words(
  'eval Function constructor __proto__ globalThis global Reflect Proxy ' +
    'WebAssembly child_process ' +
    'execSync spawnSync execFileSync spawn execFile fork vm worker_threads ' +
    'cluster repl inspector ' +
    'module mainModule binding dlopen __defineGetter__ __lookupGetter__ setPrototypeOf Worker ' +
    'getPrototypeOf GeneratorFunction AsyncFunction Deno v8 wasi self with',
)
const knownCalls = words(
  'require parseInt parseFloat String Number Boolean BigInt Symbol Array Object Date isNaN ' +
    'isFinite encodeURIComponent decodeURIComponent encodeURI if for while switch ' +
    'catch function ' +
    'return typeof await async structuredClone of in Set Map Error RegExp URL setTimeout ' +
    'clearTimeout queueMicrotask Promise super',
)

/** Judges a node program by its names. What is not known to be harmless says so. */
export function judgeJavaScript(source: string): CodeVerdict {
  const { code: stripped, strings, isOdd } = strip(source)
  // Runs of blanks would make the patterns below slow.
  const code = stripped.replace(/\s+/g, ' ')
  const found: { -readonly [Key in keyof CodeVerdict]: CodeVerdict[Key] } = { ...harmless }
  if (namesProcessFile(strings)) found.environment = phrase('sh_node_names_process_file')
  if (isOdd) found.opaque = phrase('sh_string_not_read')
  for (const match of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const [name] = match
    if (opaque.has(name) && !isKey(code, match.index, name))
      found.opaque ??= phrase('sh_can_run_anything', { name })
    if (name === 'Bun') found.writes ??= phrase('sh_bun_can_write')
  }
  if (strings.some((text) => text === 'constructor' || text === '__proto__')) {
    found.opaque ??= phrase('sh_constructor_reached_name')
  }
  judgeRequires(code, strings, found)
  judgeMember(code, 'process', readingProcess, found)
  if (!readsByName(code, strings, found)) found.environment ??= phrase('sh_node_reads_process_env')
  if (/\bimport\s*\(/.test(code)) found.opaque ??= phrase('sh_import_loads_what_computed')
  if (/\bBun\s*\.\s*env\b/.test(code)) found.environment ??= phrase('sh_reads_bun_env')
  if (/\bimport\.meta\.env\b/.test(code)) found.environment ??= phrase('sh_reads_environment')
  // With a second argument it may send.
  for (const match of code.matchAll(/(?<!\btypeof )\bfetch\b/g)) {
    const after = code.slice(match.index + 5, match.index + 400)
    if (!/^\s*\([^,()]*(?:\([^()]*\)[^,()]*)*\)/.test(after))
      found.unclear ??= phrase('sh_may_send')
  }
  if (/\bset(?:Timeout|Interval|Immediate)\s*\(\s*(?!\(|async\b|function\b|\w+\s*=>)/.test(code)) {
    found.opaque ??= phrase('sh_timer_given_something_may')
  }
  judgeComputed(code, found)
  return found
}

/** Whether every use of process.env reads one variable whose name stands there. */
function readsByName(code: string, strings: readonly string[], found: Found): boolean {
  const names: string[] = []
  const uses =
    /\bprocess\s*\??\.\s*env\b(?:\s*\??\.\s*(\w+)|\s*(?:\?\.)?\s*\[\s*\uE000(\d+)\uE001\s*\])?/g
  for (const [, member, index] of code.matchAll(uses)) {
    const name = index === undefined ? member : strings[Number(index)]
    if (name === undefined || !/^\w+$/.test(name)) return false
    names.push(name)
  }
  found.variables = names
  return true
}

type Found = { -readonly [Key in keyof CodeVerdict]: CodeVerdict[Key] }

/** A key in an object literal or a property called `module` is only a name. */
function isKey(code: string, at: number, name: string): boolean {
  if (name === 'constructor' || name.startsWith('__')) return false
  const before = code.slice(Math.max(0, at - 2), at)
  if (/^(?:module|v8|vm|repl|cluster|inspector|wasi)$/.test(name) && before.endsWith('.'))
    return true
  const after = code.slice(at + name.length, at + name.length + 3)
  return /[{,]\s?$/.test(before) && /^\s*:/.test(after)
}

function judgeRequires(code: string, strings: readonly string[], found: Found): void {
  let fsNames = 0
  const sources = new RegExp(
    '\\brequire\\b(?:\\s*\\(\\s*\\uE000(\\d+)\\uE001\\s*\\))?|' +
      '\\bfrom\\s*\\uE000(\\d+)\\uE001|\\bimport\\s*\\uE000(\\d+)\\uE001',
    'g',
  )
  for (const match of code.matchAll(sources)) {
    const index = match[1] ?? match[2] ?? match[3]
    if (index === undefined) {
      if (!/^\s*\.\s*resolve\b/.test(code.slice(match.index + 7))) {
        found.opaque ??= phrase('sh_require_something_computed')
      }
      continue
    }
    const name = (strings[Number(index)] ?? '').replace(/^node:/, '')
    if (runningModules.has(name)) found.opaque ??= phrase('sh_name_starts_programs', { name })
    else if (name === 'fs' || name === 'fs/promises') {
      fsNames++
      judgeFsUse(code, match.index, match[0].length, match[1] !== undefined, found)
    } else if (!safeModules.has(name) && !/\.json$/.test(name)) {
      judgeUnknownModule(code, match.index, match[0].length, found)
    }
  }
  if (/\bfs\b/.test(code) || fsNames > 0) judgeMember(code, 'fs', readingFs, found)
  judgeMember(code, 'fsp', readingFs, found)
}

/** `require('fs').readFileSync`, `const fs = require('fs')`, `const { readFileSync } = …`. */
function judgeFsUse(
  code: string,
  at: number,
  length: number,
  isRequire: boolean,
  found: Found,
): void {
  const before = code.slice(Math.max(0, at - 200), at)
  const bound = isRequire
    ? /(?:const|let|var)\s+(\w+)\s*=\s*$/.exec(before)?.[1]
    : /\bimport\s+(?:\*\s*as\s+)?(\w+)\s*$/.exec(before)?.[1]
  if (bound !== undefined) {
    const after = /^\s*\.\s*(\w+)\s*(\()?/.exec(code.slice(at + length))
    // What a call returns is not the module.
    if (after?.[2] === undefined) judgeMember(code, bound, readingFs, found)
    const method = after?.[1]
    if (method !== undefined && !readingFs.has(method))
      found.writes ??= phrase('sh_fs_can_write', { method })
    return
  }
  const picked = isRequire
    ? /(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*$/.exec(before)?.[1]
    : /\bimport\s*\{([^{}]*)\}\s*$/.exec(before)?.[1]
  if (picked !== undefined) {
    for (const each of picked.split(',')) {
      const name = each.trim().split(/\s|:/)[0] ?? ''
      if (name === 'promises') found.opaque ??= phrase('sh_fs_promises_handed_around')
      else if (name !== '' && !readingFs.has(name))
        found.writes ??= phrase('sh_fs_can_write_2', { name })
    }
    return
  }
  const method = /^\s*\.\s*(?:promises\s*\.\s*)?(\w+)/.exec(code.slice(at + length))?.[1]
  if (method === undefined || method === 'promises') found.opaque ??= phrase('sh_fs_handed_around')
  else if (!readingFs.has(method)) found.writes ??= phrase('sh_fs_can_write', { method })
}

/** Another module: reading a property of it passes, calling into it is not known. */
function judgeUnknownModule(code: string, at: number, length: number, found: Found): void {
  const after = code.slice(at + length, at + length + 80)
  const before = code.slice(Math.max(0, at - 200), at)
  const bound = /(?:const|let|var|import)\s+(?:\*\s*as\s+)?(\w+)\s*=?\s*$/.exec(before)?.[1]
  const isCalled = /^\s*(?:\.\s*\w+\s*)*\(/.test(after)
  const isUsed =
    bound !== undefined && new RegExp(`\\b${bound}\\b\\s*(?:\\.\\s*\\w+\\s*)*\\(`).test(code)
  if (isCalled || isUsed || /\{[^{}]*\}\s*=?\s*$/.test(before)) {
    found.unclear ??= phrase('sh_calls_module_not_known')
  }
}

/** Every use of a name has to be `.method` with a method that is known. */
function judgeMember(code: string, name: string, allowed: ReadonlySet<string>, found: Found): void {
  const pattern = new RegExp(
    `(?<![\\w$.])${name}\\b(?!\\s*=[^=>])(?:\\s*\\??\\.\\s*([\\w$]+)(?:\\s*\\.\\s*([\\w$]+))?)?`,
    'g',
  )
  for (const match of code.matchAll(pattern)) {
    const before = code.slice(Math.max(0, match.index - 40), match.index)
    if (/(?:\bimport\s+(?:\*\s*as\s+)?|(?:const|let|var)\s+)$/.test(before)) continue
    const [, method, inner] = match
    if (method === undefined) found.opaque ??= phrase('sh_handed_around', { module: name })
    else if (!allowed.has(method)) {
      if (name === 'process') found.opaque ??= phrase('sh_process_can_do_anything', { method })
      else found.writes ??= phrase('sh_can_write', { name, method })
    } else if (method === 'promises' && (inner === undefined || !allowed.has(inner))) {
      found.writes ??= phrase('sh_promises_can_write', { name })
    }
  }
}

/**
 * With computed keys a program can reach any function, provided that it calls one by something
 * else than its name, or hands one to something that calls it.
 */
function judgeComputed(code: string, found: Found): void {
  const computed = /[\w$)\]]\s*(?:\?\.)?\[(?!\s*(?:\d+|\uE000\d+\uE001)\s*\])/.test(code)
  if (!computed) return
  const odd =
    /\]\s*(?:\?\.)?\s*[(`]/.test(code) ||
    /\)\s*\(/.test(code) ||
    /\b(?:toString|valueOf|then|toJSON|next)\s*:/.test(code) ||
    /\.\s*(?:call|apply|bind)\b/.test(code)
  if (odd) found.opaque ??= phrase('sh_calls_something_whose_name')
  for (const match of code.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)\s*\(/g)) {
    const name = match[1] ?? ''
    if (!knownCalls.has(name)) found.opaque ??= phrase('sh_calls_may_computed', { name })
  }
  const callback = new RegExp(
    '\\.(?:map|filter|forEach|sort|reduce|some|every|find|flatMap|replace)\\s*\\(\\s*' +
      '(?!\\(|async|function|\\w+\\s*=>|\\)|String|Number|Boolean|\\uE000|/)',
  )
  if (callback.test(code)) found.opaque ??= phrase('sh_hands_function_may_computed')
}

/** Takes strings, comments and regular expressions out; code inside templates stays. */
function strip(source: string): { code: string; strings: string[]; isOdd: boolean } {
  const strings: string[] = []
  let code = ''
  let isOdd = false
  let at = 0
  while (at < source.length) {
    const char = source.charAt(at)
    const two = source.slice(at, at + 2)
    if (two === '//') {
      const end = source.indexOf('\n', at)
      at = end === -1 ? source.length : end
    } else if (two === '/*') {
      const end = source.indexOf('*/', at + 2)
      at = end === -1 ? source.length : end + 2
      code += ' '
    } else if (char === "'" || char === '"') {
      const end = closing(source, at + 1, char)
      if (end === -1) return { code, strings, isOdd: true }
      const text = source.slice(at + 1, end)
      if (/\\[xu0-9]/.test(text)) isOdd = true
      code += `\uE000${strings.length}\uE001`
      strings.push(text)
      at = end + 1
    } else if (char === '`') {
      const end = closing(source, at + 1, char)
      if (end === -1) return { code, strings, isOdd: true }
      const text = source.slice(at + 1, end)
      if (/\\[xu0-9]/.test(text) || text.includes('`')) isOdd = true
      code += `\uE000${strings.length}\uE001`
      strings.push(text)
      const inner: string[] = []
      for (const match of text.matchAll(/\$\{([^{}]*)\}/g)) inner.push(match[1] ?? '')
      if (/\$\{[^{}]*\{/.test(text)) isOdd = true
      for (const each of inner) {
        if (/['"`\\]/.test(each)) isOdd = true
        code += `+(${each})`
      }
      at = end + 1
    } else if (char === '/' && /(?:^|[(,=:[!&|?{};+\n]|=>|return)\s*$/.test(code.slice(-12))) {
      const end = regexEnd(source, at)
      if (end === -1) return { code, strings, isOdd: true }
      code += '/x/'
      at = end + 1
    } else if (char === '\\') {
      return { code, strings, isOdd: true }
    } else {
      code += char
      at++
    }
  }
  return { code, strings, isOdd }
}

function closing(source: string, from: number, quote: string): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === quote) return at
  }
  return -1
}

function regexEnd(source: string, from: number): number {
  let inBracket = false
  for (let at = from + 1; at < source.length; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '\n') return -1
    else if (char === '[') inBracket = true
    else if (char === ']') inBracket = false
    else if (char === '/' && !inBracket) return at
  }
  return -1
}
