/** One field of a run's data, and how it changed with the step that is looked at. */
export interface FieldChange {
  readonly name: string
  readonly change: 'same' | 'added' | 'changed' | 'removed'
  readonly before: unknown
  readonly now: unknown
}

type Data = Readonly<Record<string, unknown>>

/** Fields of both, those that changed first. */
export function contextDiff(before: Data, now: Data): readonly FieldChange[] {
  const names = new Set([...Object.keys(now), ...Object.keys(before)])
  const fields = [...names].map((name): FieldChange => {
    const was = Object.hasOwn(before, name)
    const is = Object.hasOwn(now, name)
    const pair = { name, before: was ? before[name] : undefined, now: is ? now[name] : undefined }
    if (!was) return { ...pair, change: 'added' }
    if (!is) return { ...pair, change: 'removed' }
    const isSame = JSON.stringify(pair.before) === JSON.stringify(pair.now)
    return { ...pair, change: isSame ? 'same' : 'changed' }
  })
  return [
    ...fields.filter((field) => field.change !== 'same'),
    ...fields.filter((field) => field.change === 'same'),
  ]
}
