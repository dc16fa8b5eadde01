import { nearestNames } from '../base/nearest.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import { metaFields } from '../definition/workflow-schema.ts'
import type { Scene } from './scene.ts'

const knownNames = Object.keys(metaFields)

/** `meta` is open, so that `lockd` would pass as a note instead of locking the run (WF-3). */
export function checkMeta({ definition }: Scene): Finding[] {
  return Object.keys(definition.meta ?? {}).flatMap((name) => {
    if (knownNames.includes(name)) return []
    const [near] = nearestNames(name, knownNames, 1)
    if (near === undefined) return []
    const message = `${quote(name)} means nothing to us. Did you mean ${quote(near)}?`
    return [finding('meta_near_miss', ['meta', name], message)]
  })
}
