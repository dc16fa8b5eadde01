import type { Random } from '../../packages/server/testing/random.ts'
import { grammar } from './grammar.ts'

/** Deeper than this, rules take their first production so that the line ends. */
const deepest = 7
const longest = 900

const hole = /‹(?:(\w+):)?(\w+)›/g

/** One line of bash made by the grammar. */
export function generateLine(random: Random): string {
  const size = { left: longest }
  let number = 10
  return expand('line', random, { depth: 0, size }).replaceAll('¤', () => String(number++))
}

interface Growth {
  readonly depth: number
  /** Characters that may still be made: bounds how wide a line grows, not only how deep. */
  readonly size: { left: number }
}

function expand(rule: string, random: Random, growth: Growth): string {
  const productions = grammar[rule]
  if (productions === undefined) throw new Error(`the grammar has no rule ${rule}`)
  const { depth, size } = growth
  const isTired = depth > deepest || size.left < 0 || random.chance(depth * 0.04)
  const first = productions[0] ?? ''
  const chosen = isTired && hasNames(rule) ? first : random.pick(productions)
  size.left -= chosen.length
  return chosen.replace(hole, (_, quoting: string | undefined, inner: string) =>
    quote(quoting, expand(inner, random, { ...growth, depth: depth + 1 })),
  )
}

/** Rules without inner rules end by themselves, so any of their productions may be taken. */
function hasNames(rule: string): boolean {
  return grammar[rule]?.some((text) => text.includes('‹')) ?? false
}

function quote(quoting: string | undefined, text: string): string {
  switch (quoting) {
    case undefined:
      return text
    case 'sq':
      return `'${text.replaceAll("'", "'\\''")}'`
    case 'dqq':
      return `"${text.replace(/[\\$`"]/g, '\\$&')}"`
    case 'bt':
      return text.replace(/[\\$`]/g, '\\$&')
    case 'ansi':
      return `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
    default:
      throw new Error(`the grammar has no quoting ${quoting}`)
  }
}
