import { basename, join } from 'node:path'
import { isJsonObject, own } from '@statewright/core/internal'
import { readRegularText } from '../base/read-regular.ts'
import { interpreters } from './started-scripts.ts'

const maxBytes = 1024 * 1024

/**
 * Words of the scripts that a command runs by name, one step on: `npm run deploy` runs what
 * package.json says, `make x` what the Makefile says, `node d` a file that is called d.js. Which of
 * the words are files, the caller looks.
 */
export function scriptWords(words: readonly string[], folder: string): string[] {
  const program = basename(words[0] ?? '')
  const files = own(scriptFiles, program)
  if (files === manifest) return ofPackage(words, folder)
  if (files !== undefined) return ofText(folder, files)
  if (interpreters.test(program)) return withEndings(program, words.slice(1))
  return []
}

export function stepsOf(text: string): string[] {
  return text.split(/&&|\|\||[;|&\n]/)
}

const manifest = ['package.json']
export const makefiles = ['GNUmakefile', 'makefile', 'Makefile']

/** Files that say what a program does although the command does not name them. */
export const scriptFiles: Readonly<Record<string, readonly string[]>> = {
  npm: manifest,
  npx: manifest,
  pnpm: manifest,
  yarn: manifest,
  bun: manifest,
  make: makefiles,
  gmake: makefiles,
  just: ['justfile', 'Justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'],
}

function ofPackage(words: readonly string[], folder: string): string[] {
  return packageTexts(words, folder).flatMap(wordsOf)
}

/** Every script that the words could mean, with those that run before and after it. */
export function packageTexts(words: readonly string[], folder: string): string[] {
  const scripts = scriptsIn(join(folder, 'package.json'))
  return words.flatMap((word) =>
    [`pre${word}`, word, `post${word}`].flatMap((name) => {
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      return typeof text === 'string' ? [text] : []
    }),
  )
}

function scriptsIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(read(file))
    const scripts = isJsonObject(parsed) ? parsed.scripts : undefined
    return isJsonObject(scripts) ? scripts : {}
  } catch {
    return {}
  }
}

function ofText(folder: string, files: readonly string[]): string[] {
  return files.flatMap((file) => wordsOf(read(join(folder, file))))
}

/** A module may be named without its ending, and stand for a folder. */
function withEndings(program: string, words: readonly string[]): string[] {
  const names = words.filter((word) => !word.startsWith('-'))
  if (program.startsWith('python')) {
    // `python3 -m a.b` runs a/b.py, or what lies in the folder of that name.
    const modules = names.map((name) => name.replaceAll('.', '/'))
    return modules.flatMap((name) => [`${name}.py`, `${name}/__main__.py`, `${name}/__init__.py`])
  }
  const endings = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'json']
  return names.flatMap((name) =>
    [name, `${name}/index`].flatMap((one) => endings.map((ending) => `${one}.${ending}`)),
  )
}

function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s'"`;|&<>()=,:@]+/).filter((word) => word !== ''))]
}

function read(file: string): string {
  return readRegularText(file, maxBytes)
}
