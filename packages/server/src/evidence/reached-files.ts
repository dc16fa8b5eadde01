import { basename, dirname, join, normalize } from 'node:path'
import { own } from '@statewright/core/internal'
import { isThere } from '../base/looks.ts'
import { readRegularText } from '../base/read-regular.ts'
import { includedFiles, isPlainDependencies, nameTargets } from './make-files.ts'
import { makefiles, packageTexts, scriptFiles, stepsOf } from './script-words.ts'
import { startedScripts } from './started-scripts.ts'

const maxTexts = 300
const maxBytes = 256 * 1024
const maxFolders = 8

export interface Reach {
  readonly root: string
  readonly files: readonly string[]
  /** Sources: a change of theirs wants the tests again, and no person. */
  readonly isSource: (file: string) => boolean
}

export interface ReachedFiles {
  /** Files of the project that are part of what a command runs; a folder ends with a slash. */
  readonly files: readonly string[]
  readonly words: readonly string[]
}

interface Text {
  readonly text: string
  readonly folder: string
  /** Commands, as of a shell, and not a program or a configuration that names files. */
  readonly isShell: boolean
}

/**
 * Follows a command through the scripts of packages and makefiles that it names, the scripts that
 * these start, and every file that one of them mentions, to the end. What is mentioned may be read
 * only; but nobody can tell, so that it counts unless it is a source or a test.
 */
export function reachedFiles(command: readonly string[], from: readonly string[], reach: Reach) {
  return new Follower(reach).follow(command, from)
}

class Follower {
  readonly #reach: Reach
  readonly #known: ReadonlySet<string>
  readonly #found = new Set<string>()
  readonly #texts = new Set<string>()
  readonly #waiting: Text[] = []
  readonly #words = new Set<string>()

  constructor(reach: Reach) {
    this.#reach = reach
    this.#known = new Set(reach.files)
  }

  follow(command: readonly string[], from: readonly string[]): ReachedFiles {
    this.#words.clear()
    this.#take({ text: command.join(' '), folder: '', isShell: true })
    for (const file of from) this.#read(file)
    for (let text = this.#waiting.pop(); text !== undefined; text = this.#waiting.pop()) {
      if (this.#texts.size > maxTexts) break
      this.#walk(text)
    }
    return { files: [...this.#found].sort(), words: [...this.#words] }
  }

  #take(text: Text): void {
    const key = `${text.folder}\n${text.text}`
    if (text.text === '' || this.#texts.has(key)) return
    this.#texts.add(key)
    this.#waiting.push(text)
  }

  #walk({ text, folder, isShell }: Text): void {
    const tokens = tokensOf(text)
    const folders = this.#foldersIn(tokens, folder)
    for (const token of tokens) {
      for (const file of this.#mentioned(token, folders, isShell)) {
        if (isMade(file) || isProse(file)) continue
        if (!this.#reach.isSource(file) || (isShell && isShellScript(file))) this.#add(file)
      }
    }
    if (!isShell) return
    for (const step of stepsOf(text)) this.#walkStep(lineOf(step), folders)
    for (const token of tokens) if (!token.includes('\0')) this.#words.add(token)
    if (!tokens.some((token) => managers.test(token))) return
    for (const at of folders) {
      for (const script of packageTexts(tokens, join(this.#reach.root, at))) {
        this.#take({ text: script, folder: at, isShell: true })
      }
    }
  }

  #walkStep(line: readonly string[], folders: readonly string[]): void {
    for (const script of startedScripts(line)) {
      for (const file of this.#mentioned(script, folders, true)) this.#add(file)
    }
    const tasks = line.find((word) => /^(?:just|task)$/.test(word)) ?? ''
    for (const name of own(scriptFiles, tasks) ?? []) {
      for (const at of folders) {
        const file = normalize(join(at, name))
        this.#take({ text: this.#textOf(file), folder: at, isShell: true })
      }
    }
    const make = line.findIndex((word) => /^g?make$/.test(basename(word)))
    if (make < 0) return
    const goals = line.slice(make + 1).filter((word) => !/^-|=/.test(word))
    for (const at of folders) this.#walkMakefiles(at, goals)
  }

  #walkMakefiles(folder: string, goals: readonly string[]): void {
    for (const name of makefiles) {
      const file = normalize(join(folder, name))
      if (!this.#known.has(file)) continue
      const text = this.#textOf(file)
      for (const target of nameTargets(text, goals)) this.#addName(join(folder, target))
      for (const included of includedFiles(text, this.#reach.files)) {
        if (!isPlainDependencies(this.#textOf(included))) this.#add(included)
      }
      this.#take({ text: recipesOf(text), folder, isShell: true })
    }
  }

  /** A name that make would take for done: a file, or a folder, whatever is in it. */
  #addName(path: string): void {
    const name = normalize(path)
    if (this.#known.has(name)) this.#found.add(name)
    else if (!name.startsWith('..') && isThere(join(this.#reach.root, name))) {
      this.#found.add(`${name}/`)
    }
  }

  #add(file: string): void {
    if (this.#found.has(file)) return
    this.#found.add(file)
    this.#read(file)
  }

  #read(file: string): void {
    if (!isFollowed(file)) return
    const text = this.#textOf(file)
    const isShell = isShellScript(file) || /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text)
    this.#take({ text, folder: dirname(file), isShell })
  }

  #textOf(file: string): string {
    return readRegularText(join(this.#reach.root, file), maxBytes)
  }

  /** Where names may be meant from: the root, the folder of the script, and those it goes to. */
  #foldersIn(tokens: readonly string[], folder: string): string[] {
    const named = tokens.filter((token) => this.#isFolder(token)).slice(0, maxFolders)
    return [...new Set(['', folder, ...named].map((one) => normalize(one).replace(/\/$/, '')))]
  }

  #isFolder(token: string): boolean {
    if (!/^[\w.@/-]+$/.test(token)) return false
    const folder = normalize(token).replace(/\/$/, '')
    if (folder === '.' || folder.startsWith('..') || folder.startsWith('/')) return false
    return ['package.json', ...makefiles].some((name) => this.#known.has(`${folder}/${name}`))
  }

  #mentioned(token: string, folders: readonly string[], isShell: boolean): string[] {
    // Behind what is put together, the end of a path is known.
    const end = /\0(\/[^\0]*[^/\0])$/.exec(token)?.[1]
    if (end !== undefined) return this.#reach.files.filter((file) => `/${file}`.endsWith(end))
    if (token.includes('\0') || token.startsWith('/')) return []
    return folders.flatMap((folder) => {
      const path = normalize(join(folder, token)).replace(/\/$/, '')
      if (path.startsWith('..')) return []
      if (this.#known.has(path)) return [path]
      if (!isShell && !token.includes('/')) return []
      // `python -m a.b` runs a/b.py.
      const module = normalize(join(folder, token.replaceAll('.', '/')))
      const named = [...endings.map((ending) => path + ending), `${module}.py`]
      return [...named, `${module}/__main__.py`].filter((file) => this.#known.has(file))
    })
  }
}

const endings = ['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'json', 'sh', 'py'].flatMap((one) => [
  `.${one}`,
  `/index.${one}`,
])
const managers = /^(?:npm|npx|pnpm|yarn|bun|run-[sp]|npm-run-all2?|turbo|nx|lerna|concurrently)$/

/** Words of a text; what a variable or a command puts there is a NUL. */
function tokensOf(text: string): string[] {
  const plain = text
    .replaceAll(/\$\{\w*:?[-=+]?([^}]*)\}/g, '\0 $1 \0')
    .replaceAll(/\$\(([^()]*)\)/g, '\0 $1 \0')
    .replaceAll(/\$(?:\w+|[@*#?!$-])/g, '\0')
  const words = plain.split(/[\s'"`;|&<>()=,:@[\]{}]+/)
  return [...new Set(words.filter((word) => word !== '' && word.length < 500))]
}

function lineOf(step: string): string[] {
  const words = step.replace(/^[\s@+-]+/, '').split(/\s+/)
  return words.map((word) => word.replaceAll(/['"]/g, '')).filter((word) => word !== '')
}

/** Without targets and what they need, which name what is built. */
function recipesOf(text: string): string {
  const lines = text.split('\n').filter((line) => line.startsWith('\t'))
  return lines.map((line) => line.replace(/^\t[@+-]*/, '')).join('\n')
}

function isShellScript(file: string): boolean {
  return /(?:^|\/)[^./]+$|\.(?:ba|z|k)?sh$/.test(file) && !makefiles.includes(basename(file))
}

/** Folders of what was fetched or is built again. */
function isMade(file: string): boolean {
  return /(?:^|\/)(?:node_modules|\.venv|venv|vendor|target|build|dist|out|coverage)\//.test(file)
}

/** Nothing that is run as it is: text for people, pictures, what a compiler reads or writes. */
function isProse(file: string): boolean {
  return prose.test(file)
}

const prose =
  /\.(?:md|mdx|rst|adoc|html?|css|svg|png|jpe?g|gif|snap|log|[choa]|cc|[ch]pp|so|class|exe)$/

const isFollowed = (file: string) =>
  !/\.(?:json|jsonc|lock|lockb|sum|xml|txt|csv)$/.test(file) && !makefiles.includes(basename(file))
