import type { OwnToolsDoor } from '../ports.ts'
import type { OwnTools } from './parts.ts'

/** Our own tools for one session, whoever calls them. */
export function ownToolsDoor(
  ownTools: OwnTools,
  from: Parameters<OwnTools['call']>[0],
): OwnToolsDoor {
  return {
    definitions: ownTools.definitions,
    call: (name, args) => ownTools.call(from, name, args),
  }
}
