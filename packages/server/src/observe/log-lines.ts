import type { DestinationStream } from 'pino'
import { z } from 'zod'

const Line = z.looseObject({
  level: z.number(),
  time: z.number(),
  msg: z.string().optional(),
  err: z.looseObject({ message: z.string() }).optional(),
})

const hidden: ReadonlySet<string> = new Set(['level', 'time', 'name', 'msg', 'err', 'pid'])

/** Log lines for a person at a terminal: one line each, without stacks. Files get the JSON. */
export function logLines(write: (line: string) => void): DestinationStream {
  return {
    write(text) {
      write(shortLine(text))
    },
  }
}

export function shortLine(text: string): string {
  const parsed = Line.safeParse(parse(text))
  if (!parsed.success) return text.trim()
  const { level, time, msg = '', err, ...rest } = parsed.data
  const facts = Object.entries(rest)
    // What the sentence says already is not said again.
    .filter(([name, value]) => !hidden.has(name) && !msg.includes(String(value)))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const why = err === undefined ? '' : `: ${err.message}`
  const more = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  const clock = new Date(time).toTimeString().slice(0, 8)
  // Texts of others stand in it; a terminal must not obey them.
  const line = `${clock} ${word(level)} ${msg}${why}${more}`.replaceAll(/\s+/g, ' ')
  return line.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\uFFFD')
}

function word(level: number): string {
  if (level >= 50) return 'error'
  if (level >= 40) return 'warning'
  return level >= 30 ? 'info' : 'debug'
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
