import { phrase } from '../base/text/phrase.ts'
import { noteArithmeticText } from './arithmetic.ts'
import { type Arg, noteUnknown, type Walk } from './context.ts'
import { kinds } from './scope.ts'

/** A variable's name that is given as text: its subscript is evaluated, quoted or not. */
export function noteName(walk: Walk, name: Arg): void {
  if (name.text === null) {
    if (name.kind > kinds.number)
      noteUnknown(walk, 'code', name, phrase('sh_computed_variable_name'))
    return
  }
  const bracket = name.text.indexOf('[')
  if (bracket === -1) return
  if (/[$`]/.test(name.text)) {
    noteUnknown(walk, 'code', name, phrase('sh_subscript_name_evaluated'))
  } else {
    noteArithmeticText(walk, name.text.slice(bracket), name)
  }
}
