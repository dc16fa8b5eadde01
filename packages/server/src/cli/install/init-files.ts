import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  err,
  ok,
  type Problem,
  processJsonSchema,
  type Result,
  workflowJsonSchema,
} from '@statewright/core/internal'
import { configJsonSchema } from '../../config/schema.ts'
import { fitTemplate } from '../../templates/fit-template.ts'
import type { ProjectKind } from '../../templates/project-kind.ts'
import type { Template } from '../../templates/read-templates.ts'

export interface InitChoices {
  readonly template: Template
  readonly mode: 'strict' | 'enforce' | 'observe'
  /** What a template is fitted to; one that was made from a skill stays as it is. */
  readonly project: Pick<ProjectKind, 'test' | 'definedBy' | 'sources'> | undefined
}

export interface NewFile {
  /** Against the project folder. */
  readonly file: string
  readonly text: string
  /** Written again where it is there already: nobody edits it. */
  readonly isMade?: true
}

/** Where the definitions of a project lie, next to its code and under review like it. */
const definitionFolder = 'statewright'

/** What `init` writes: the definition, its scenarios, and the configuration that names it. */
export function plannedFiles({ template, mode, project }: InitChoices): readonly NewFile[] {
  const [definition, scenarios, schema] = templateFiles(template, project)
  const text = `${modeline(schemaFile('config'))}${configText(template, mode)}`
  const config = { file: 'statewright.yaml', text }
  return [definition, scenarios, config, schema, schemaOf('config')]
}

/** A definition, the scenarios that hold it to what it should do, and its schema for editors. */
export function templateFiles(
  template: Template,
  project: InitChoices['project'],
): readonly [definition: NewFile, scenarios: NewFile, schema: NewFile] {
  const { name, kind, scenarios } = template
  const text = `${modeline(schemaFile(kind, '.'))}${template.text}`
  const fit = (one: string) => (project === undefined ? one : fitTemplate(one, project))
  return [
    { file: `${definitionFolder}/${name}.yaml`, text: fit(text) },
    { file: `${definitionFolder}/${name}.scenarios.yaml`, text: fit(scenarios) },
    schemaOf(kind),
  ]
}

const schemas = {
  workflow: workflowJsonSchema,
  process: processJsonSchema,
  config: configJsonSchema,
} as const

/** Against the project, or against the folder of the definitions. */
function schemaFile(kind: keyof typeof schemas, folder = definitionFolder): string {
  return `${folder}/.schema/${kind}-schema.json`
}

/**
 * A copy in the project: editors find it offline, for everybody who has the repository, whichever
 * version is installed and whether or not a server runs.
 */
function schemaOf(kind: keyof typeof schemas): NewFile {
  const text = `${JSON.stringify(schemas[kind](), null, 2)}\n`
  return { file: schemaFile(kind), text, isMade: true }
}

/** Editors with the YAML language server read this line. */
function modeline(schema: string): string {
  return `# yaml-language-server: $schema=${schema}\n`
}

function configText({ name, kind }: Template, mode: InitChoices['mode']): string {
  const lines = [
    '# What guards the agents that work on this project.',
    `definitions: [${definitionFolder}/${name}.yaml]`,
  ]
  // A process is started when it is wanted; a workflow begins with the client's session.
  if (kind === 'workflow') lines.push(`workflow: ${name}`)
  if (mode === 'strict') lines.push('strict: true')
  if (mode === 'observe') lines.push('mode: observe')
  return `${lines.join('\n')}\n`
}

/** Writes files that must not be there yet; the first that is stops everything before it. */
export function writeNewFiles(project: string, files: readonly NewFile[]): Result<void, Problem> {
  for (const { file, text, isMade } of files) {
    const path = join(project, file)
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: isMade === true ? 'w' : 'wx' })
    } catch (fault) {
      const isThere = fault instanceof Error && 'code' in fault && fault.code === 'EEXIST'
      const why = fault instanceof Error ? fault.message : String(fault)
      return err({
        code: isThere ? 'name_taken' : 'file_unreadable',
        message: isThere
          ? 'The file already exists and was not changed.'
          : `It cannot be written (${why}).`,
        where: path,
        next: isThere
          ? 'move it away, or choose another template.'
          : 'check that the folder can be written.',
      })
    }
  }
  return ok(undefined)
}
