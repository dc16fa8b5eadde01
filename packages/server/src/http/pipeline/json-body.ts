import { err, ok, type Result } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../../base/problem.ts'

/** Deeper than any definition may be, so that those are told by their own findings. */
const maxBodyDepth = 128

/** Parses a body once, and refuses what JSON can say but nothing of ours could keep. */
export function parseJsonBody(text: string): Result<unknown, RuntimeProblem> {
  if (text === '') return ok({})
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : 'unreadable'
    return err(badBody('', `The body is not JSON (${why.slice(0, 200)}).`))
  }
  const flaw = flawIn(value, '', 0)
  return flaw === undefined ? ok(value) : err(flaw)
}

export function badBody(where: string, message: string): RuntimeProblem {
  const next = 'see /api/openapi.json for the shape.'
  return problem('usage', message, { where: where === '' ? 'body' : where, next })
}

function flawIn(value: unknown, where: string, depth: number): RuntimeProblem | undefined {
  if (typeof value === 'number') {
    // `1e999` parses to Infinity, which is stored as null: replay would see another value.
    return Number.isFinite(value) ? undefined : badBody(where, 'A number is too large.')
  }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= maxBodyDepth)
    return badBody('', `The body is nested more than ${maxBodyDepth} levels deep.`)
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'string') continue
      const flaw = flawIn(item, `${where}[${index}]`, depth + 1)
      if (flaw !== undefined) return flaw
    }
    return undefined
  }
  for (const [key, item] of Object.entries(value)) {
    // JSON.parse makes it an ordinary key; the first copy by assignment would make it a prototype.
    if (key === '__proto__') return badBody(where, 'A key may not be called "__proto__".')
    if (typeof item === 'string') continue
    const flaw = flawIn(item, where === '' ? key : `${where}.${key}`, depth + 1)
    if (flaw !== undefined) return flaw
  }
  return undefined
}
