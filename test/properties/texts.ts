import fc from 'fast-check'
import { stringify } from 'yaml'
import { choice, pick } from './pick.ts'
import { writtenWorld } from './world.ts'

/** Texts that look like definitions and went wrong on the way. */

const scraps = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\n',
  '  ',
  '\t- ',
  '&a ',
  '*a',
  '<<: *a\n',
  '? ',
  '!!binary x',
  '!!js/function x',
  '|-\n',
  '%YAML 1.1\n---\n',
  '---\n',
  '__proto__',
  '"__proto__": {"polluted": true},',
  'constructor: {prototype: {polluted: true}}\n',
  'null',
  '1e999',
  '0x1f',
  '$return',
  '\u0000',
  '\uFEFF',
  '\u2028',
  '\uD800',
  'x'.repeat(300),
] as const

const edit = fc.record({ at: fc.noBias(fc.nat()), cut: fc.nat(12), scrap: choice })

/** A valid definition as JSON or YAML, with some places spoilt. */
export const spoiltText: fc.Arbitrary<string> = fc
  .record({ written: writtenWorld, which: choice, edits: fc.array(edit, { maxLength: 5 }) })
  .map(({ written, which, edits }) => {
    const definition = pick(written, which)
    let text = pick(
      [JSON.stringify, (one: unknown) => JSON.stringify(one, null, 2), yamlOf],
      which,
    )(definition)
    for (const { at, cut, scrap } of edits) {
      const start = at % (text.length + 1)
      text = text.slice(0, start) + pick(scraps, scrap) + text.slice(start + cut)
    }
    return text
  })

function yamlOf(value: unknown): string {
  return stringify(value)
}

/** Text put together from scraps alone, and any other text. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...scraps), { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.json(),
)

const hostileKeys = [
  '__proto__',
  'constructor',
  'states',
  'id',
  'on',
  'initial',
  'guards',
  'toString',
]

/** Values as a program might hand them over, with keys that definitions use and keys that harm. */
export const anyValue: fc.Arbitrary<unknown> = fc.anything({
  key: fc.oneof(fc.constantFrom(...hostileKeys), fc.string({ maxLength: 5 })),
  maxDepth: 5,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
})

/** A valid definition with one value somewhere inside it replaced by anything. */
export const spoiltValue: fc.Arbitrary<unknown> = fc
  .record({
    written: writtenWorld,
    which: choice,
    way: fc.array(choice, { minLength: 1, maxLength: 7 }),
    put: anyValue,
  })
  .map(({ written, which, way, put }) => replaceAt(pick(written, which), way, put))

function replaceAt(value: unknown, way: readonly number[], put: unknown): unknown {
  const [first, ...rest] = way
  if (first === undefined || typeof value !== 'object' || value === null) return put
  if (Array.isArray(value)) {
    if (value.length === 0) return [put]
    const at = first % value.length
    return value.with(at, replaceAt(value[at], rest, put))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return { [pick(hostileKeys, first)]: put }
  const [key, inner] = pick(entries, first)
  return { ...value, [key]: replaceAt(inner, rest, put) }
}
