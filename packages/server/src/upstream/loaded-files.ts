import { existsSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { isJsonObject } from '@statewright/core/internal'

/**
 * Files that a program's file loads, as far as its text tells: relative imports of JavaScript and
 * Python, what a script of a shell sources or starts, and what a package begins with. Names that
 * are put together when it runs are not seen.
 */
export function loadedBy(path: string, text: string): readonly string[] {
  const folder = dirname(path)
  if (path.endsWith('package.json')) return packageEntries(text).map((name) => join(folder, name))
  if (/^\.(?:[cm]?[jt]sx?|)$/.test(extname(path)) && !isShell(text)) {
    return matches(text, jsImport).flatMap((name) => jsFiles(resolve(folder, name)))
  }
  if (extname(path) === '.py')
    return pythonModules(text).flatMap((name) => pythonFiles(folder, name))
  return isShell(text) ? matches(text, shellPath).map((name) => resolve(folder, name)) : []
}

/** Behind `from`, `import`, `require` and their kin. */
const jsImport =
  /(?:\bfrom|\bimport|\brequire|\.resolve)\s*\(?\s*['"`](\.{1,2}\/[^'"`\n]{1,300})['"`]/g
const shellPath = /(?:^|[\s;&|"'])(\.{1,2}\/[\w./-]{1,300})/g
const pyImport =
  /^[ \t]*(?:from[ \t]+(\.{0,5}[\w.]{0,200})[ \t]+import|import[ \t]+([\w., \t]{1,300}))/gm

function isShell(text: string): boolean {
  return /^#!.*\b(?:ba|da|z|k)?sh\b/.test(text.slice(0, 200))
}

function matches(text: string, shape: RegExp): string[] {
  return [...text.matchAll(shape)].map(([, name = '']) => name)
}

const jsEndings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.json', '/index.js', '/index.mjs']

function jsFiles(path: string): string[] {
  // A name with the ending of what it is compiled to may stand for its source.
  const source = path.replace(/\.([cm]?)js$/, '.$1ts')
  return [...jsEndings.map((ending) => path + ending), source].filter(isFile)
}

function pythonModules(text: string): string[] {
  return [...text.matchAll(pyImport)].flatMap(([, from, names = '']) =>
    from === undefined ? names.split(',').map((name) => name.trim().split(/\s/)[0] ?? '') : [from],
  )
}

function pythonFiles(folder: string, name: string): string[] {
  const dots = /^\.*/.exec(name)?.[0].length ?? 0
  const base = dots > 1 ? resolve(folder, '../'.repeat(dots - 1)) : folder
  const path = join(base, ...name.slice(dots).split('.'))
  return [`${path}.py`, join(path, '__init__.py')].filter(isFile)
}

function packageEntries(text: string): string[] {
  try {
    const { main, bin, exports, module } = JSON.parse(text)
    return [main, module, bin, exports].flatMap(textsIn).filter((name) => !name.includes('*'))
  } catch {
    return []
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile()
}
