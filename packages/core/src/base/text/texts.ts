import { callTexts } from './call-texts.ts'
import { eventTexts } from './event-texts.ts'
import { inputTexts } from './input-texts.ts'
import { programTexts } from './program-texts.ts'
import { shellTexts } from './shell-texts.ts'

/**
 * The words of every phrase, by its name. Stored histories hold the names: a text may be reworded
 * at any time, a name never changes its meaning and is never taken away.
 *
 * `{name}` stands for a value and lists are joined; `{name:how}` says how it is written (format.ts).
 */
export const texts = {
  ...callTexts,
  ...eventTexts,
  ...inputTexts,
  ...shellTexts,
  ...programTexts,
} as const

export type PhraseName = keyof typeof texts
