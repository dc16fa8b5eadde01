import { MovedAway } from './folder.ts'

/** Why a path of an agent cannot be used. The sentence goes to the agent. */
export interface PathFault {
  readonly code:
    | 'outside_workspace'
    | 'not_found'
    | 'not_a_file'
    | 'not_a_folder'
    | 'already_exists'
    | 'too_large'
    | 'not_text'
    | 'patch_does_not_fit'
    | 'not_permitted'
    | 'moved_away'
    | 'unusable_path'
    | 'self_protection'
  readonly message: string
}

export function pathFault(code: PathFault['code'], message: string): PathFault {
  return { code, message }
}

/** What the system said, in our words: its own would show paths of the machine. */
export function faultOf(fault: unknown, path: string): PathFault {
  if (fault instanceof MovedAway) {
    return pathFault('moved_away', `${path} was changed while it was being opened.`)
  }
  switch (codeOf(fault)) {
    case 'ENOENT':
      return pathFault('not_found', `There is no ${path}.`)
    case 'ENOTDIR':
      return pathFault('not_a_folder', `A part of ${path} is not a folder.`)
    case 'EISDIR':
      return pathFault('not_a_file', `${path} is a folder.`)
    case 'ELOOP':
      return pathFault('moved_away', `${path} became a link while it was being opened.`)
    case 'ENXIO':
      return pathFault('not_a_file', `${path} is not a regular file.`)
    case 'EEXIST':
      return pathFault('already_exists', `${path} exists already.`)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return pathFault('not_permitted', `The system denies access to ${path}.`)
    default:
      return pathFault('unusable_path', `${path} cannot be used (${codeOf(fault) ?? 'unknown'}).`)
  }
}

function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error) || !('code' in fault)) return undefined
  return typeof fault.code === 'string' ? fault.code : undefined
}
