import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
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
}

/** Where the definitions of a project lie, next to its code and under review like it. */
const definitionFolder = 'statewright'

/** What `init` writes: the definition, its scenarios, and the configuration that names it. */
export function plannedFiles({ template, mode, project }: InitChoices): readonly NewFile[] {
  return [
    ...templateFiles(template, project),
    { file: 'statewright.yaml', text: configText(template, mode) },
  ]
}

/** A definition and the scenarios that hold it to what it should do. */
export function templateFiles(
  template: Template,
  project: InitChoices['project'],
): readonly NewFile[] {
  const { name, text, scenarios } = template
  const fit = (one: string) => (project === undefined ? one : fitTemplate(one, project))
  return [
    { file: `${definitionFolder}/${name}.yaml`, text: fit(text) },
    { file: `${definitionFolder}/${name}.scenarios.yaml`, text: fit(scenarios) },
  ]
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
  for (const { file, text } of files) {
    const path = join(project, file)
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
    } catch (fault) {
      const isThere = fault instanceof Error && 'code' in fault && fault.code === 'EEXIST'
      const why = fault instanceof Error ? fault.message : String(fault)
      return err({
        code: isThere ? 'name_taken' : 'file_unreadable',
        message: isThere ? 'A file is there already and stays.' : `It cannot be written (${why}).`,
        where: path,
        next: isThere ? 'move it away, or choose another template.' : 'look at the folder.',
      })
    }
  }
  return ok(undefined)
}
