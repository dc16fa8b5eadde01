import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  BoundedMap,
  checkDefinition,
  compileProgram,
  definitionIn,
  err,
  nearestNames,
  ok,
  type Problem,
  type Program,
  type Result,
  readDefinitionText,
} from '@statewright/core/internal'
import { fitTemplate } from '../../templates/fit-template.ts'
import { recogniseProject } from '../../templates/project-kind.ts'
import { findTemplate, type Template, templates } from '../../templates/read-templates.ts'
import { readDefinitionFile } from '../definition/file.ts'

/** The rules that calls are replayed under. */
export interface ReplayRules {
  readonly name: string
  /** As they are written. */
  readonly text: string
  /** A template is told again for the kind of project that a session worked in. */
  programFor(folder: string | undefined): Program
  /** Where they are written, and the line of one of them. */
  readonly file?: string
  lineOf(path: string): number | undefined
}

const rememberedFolders = 200

export function replayRules(options: {
  readonly template?: string
  readonly definition?: string
}): Result<ReplayRules, Problem> {
  const { template, definition } = options
  if ((template === undefined) === (definition === undefined)) {
    return err({
      code: 'usage',
      message: 'Name the rules to replay under: one template or one definition.',
      where: 'replay',
      next: 'add --template bugfix, or --definition with a file.',
    })
  }
  return definition === undefined ? fromTemplate(template ?? '') : fromFile(definition)
}

function fromFile(file: string): Result<ReplayRules, Problem> {
  const read = readDefinitionFile(file)
  if (!read.ok) return read
  const source = read.value
  const program = 'text' in source ? compiled(source.text, source) : undefined
  if (program === undefined || !('text' in source)) {
    return err({
      code: 'definition_invalid',
      message: 'The definition has errors, so nothing can be replayed with it.',
      where: file,
      next: `run "statewright workflow check ${file}" to see them.`,
    })
  }
  return ok({
    name: basename(file),
    text: source.text,
    file,
    programFor: () => program,
    lineOf: lineIn(source.text, source),
  })
}

/** Where a rule stands in a text. */
export function lineIn(
  text: string,
  how: Parameters<typeof readDefinitionText>[1] = {},
): ReplayRules['lineOf'] {
  const read = readDefinitionText(text, how)
  return (path) => read.locate(path.split('.'), 'key')?.line
}

function fromTemplate(name: string): Result<ReplayRules, Problem> {
  const template = findTemplate(name)
  if (template === undefined) {
    const [near] = nearestNames(
      name,
      templates().map((one) => one.name),
    )
    const meant = near === undefined ? '' : `did you mean ${near}? `
    return err({
      code: 'unknown_workflow',
      message: `There is no template called "${name}".`,
      where: '--template',
      next: `${meant}"statewright workflow new" lists them.`,
    })
  }
  const plain = fitted(template, undefined)
  const known = new BoundedMap<string, Program>(rememberedFolders)
  return ok({
    name,
    text: template.text,
    programFor(folder) {
      if (folder === undefined) return plain
      const program = known.get(folder) ?? fitted(template, folder)
      known.set(folder, program)
      return program
    },
    lineOf: () => undefined,
  })
}

/** A folder that is gone is taken for a project of the kind that templates are written for. */
function fitted(template: Template, folder: string | undefined): Program {
  const kind = folder !== undefined && isPlainFolder(folder) ? recogniseProject(folder) : undefined
  const text = kind === undefined ? template.text : fitTemplate(template.text, kind)
  const program = compiled(text, {}) ?? compiled(template.text, {})
  if (program === undefined) throw new Error(`bug: the template ${template.name} has errors`)
  return program
}

/** A transcript may name any folder: a pipe in the place of a file would hold us for ever. */
function isPlainFolder(folder: string): boolean {
  try {
    if (!lstatSync(folder).isDirectory()) return false
  } catch {
    return false
  }
  return projectFiles.every((name) => {
    try {
      return lstatSync(join(folder, name)).isFile()
    } catch {
      return true
    }
  })
}

const projectFiles = [
  ...['package.json', 'Cargo.toml', 'go.mod', 'pyproject.toml', 'setup.py', 'requirements.txt'],
  ...['requirements-dev.txt', 'tox.ini'],
  ...['deno.json', 'Gemfile', 'pom.xml', 'build.gradle', 'build.gradle.kts', 'mix.exs', 'Makefile'],
]

function compiled(text: string, how: Parameters<typeof checkDefinition>[1]): Program | undefined {
  const definition = definitionIn(checkDefinition(text, how))
  const program = definition === undefined ? undefined : compileProgram(definition)
  return program?.ok === true ? program.value : undefined
}
