import type { ClientCapabilities } from '@modelcontextprotocol/client'

/** What a server may be allowed to ask in the middle of a call (SH-18d). */
export interface QuestionRules {
  /** Words of the client's model. */
  readonly sampling?: 'allow' | 'refuse' | undefined
  /** A form that a person fills in, or an address that they open. */
  readonly elicitation?: 'allow' | 'refuse' | undefined
}

export type QuestionKind = keyof QuestionRules

/** Where the client works is no secret before a server whose calls it makes, and always passes. */
const kinds: Readonly<Record<string, QuestionKind | 'roots'>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
}

export const questionMethods = Object.keys(kinds)

/** Undefined for what no server may ask at all. */
export function questionKind(method: unknown): QuestionKind | 'roots' | undefined {
  return typeof method === 'string' && Object.hasOwn(kinds, method) ? kinds[method] : undefined
}

export function mayAsk(rules: QuestionRules, kind: QuestionKind | 'roots'): boolean {
  return kind === 'roots' || rules[kind] === 'allow'
}

/**
 * What of a client's abilities its server hears of: only what it may ask for. Tasks, by which the
 * same could be asked at leisure, are not passed on at all.
 */
export function announced(rules: QuestionRules, able: ClientCapabilities): ClientCapabilities {
  const { sampling, elicitation, tasks: _tasks, ...rest } = able
  return {
    ...rest,
    ...(sampling !== undefined && mayAsk(rules, 'sampling') ? { sampling } : {}),
    ...(elicitation !== undefined && mayAsk(rules, 'elicitation') ? { elicitation } : {}),
  }
}
