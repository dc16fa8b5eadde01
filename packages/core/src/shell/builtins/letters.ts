import type { Arg } from '../context.ts'

export interface UsedLetter {
  readonly letter: string
  /** What stands behind it, in the same word or in the next; null where it takes nothing. */
  readonly value: Arg | null
  readonly at: Arg
}

export interface Letters {
  readonly used: readonly UsedLetter[]
  readonly operands: readonly Arg[]
  /** The first word that may be an option and cannot be read as one. */
  readonly unclear: Arg | undefined
}

/**
 * Reads options as builtins do: letters in bundles up to the first operand. One that takes a value
 * has the rest of its word, or the next word where nothing is left: `read -rax` sets x.
 */
export function readLetters(args: readonly Arg[], plain: string, valued: string): Letters {
  const used: UsedLetter[] = []
  let unclear: Arg | undefined
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] as Arg // The index is inside the list.
    if (arg.text === '--') {
      at++
      break
    }
    if (!/^-./s.test(arg.shape)) break
    for (let index = 1; index < arg.shape.length; index++) {
      const letter = arg.shape.charAt(index)
      if (valued.includes(letter)) {
        const rest = arg.shape.slice(index + 1)
        if (rest === '') at++
        const value = rest === '' ? args[at] : behind(arg, rest)
        used.push({ letter, value: value ?? null, at: arg })
        break
      }
      if (!plain.includes(letter)) unclear ??= arg
      used.push({ letter, value: null, at: arg })
    }
  }
  return { used, operands: args.slice(at), unclear }
}

function behind(arg: Arg, rest: string): Arg {
  return { ...arg, text: arg.text === null ? null : rest, shape: rest, verbatim: -1 }
}
