import type { ProjectKind } from './project-kind.ts'

/**
 * Templates are written for a Node project, so that each is a whole definition that can be checked
 * and played as it is. Here one is retold for another kind of project.
 */
export function fitTemplate(text: string, project: Pick<ProjectKind, FittedKey>): string {
  return text
    .replaceAll(/\bnpm test\b/g, project.test)
    .replaceAll(/\bdefined_by: \[package\.json\]/g, `defined_by: [${quoted(project.definedBy)}]`)
    .replaceAll(/\bfile_path: package\.json\b/g, `file_path: ${quoted(project.definedBy)}`)
    .replaceAll(/\ba new package\.json\b/g, `a new ${project.definedBy}`)
    .replaceAll(/\bsrc\/(a|date)\.ts\b/g, (_, name) => sourceFile(project.sources, name))
    .replaceAll(/stale_after: \['src\/\*\*'[^\]]*\]/g, `stale_after: ${list(project.sources)}`)
}

type FittedKey = 'test' | 'definedBy' | 'sources'

/** A file that the globs cover, for the scenarios to edit. */
function sourceFile([glob = 'src/**']: readonly string[], name: string): string {
  const [, one, list = ''] = /\*\.(?:(\w+)|\{([\w,]+)\})$/.exec(glob) ?? []
  const endings = one === undefined ? list.split(',') : [one]
  const ending = endings.includes('ts') || endings[0] === '' ? 'ts' : endings[0]
  const folder = /^[^*/]+(?=\/)/.exec(glob)?.[0]
  return folder === undefined ? `${name}.${ending}` : `${folder}/${name}.${ending}`
}

function list(globs: readonly string[]): string {
  return `[${globs.map(quoted).join(', ')}]`
}

/** Single quotes in YAML know one escape: the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
