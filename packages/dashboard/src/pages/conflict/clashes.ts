import { changesBetween } from '../../model/text/changes.ts'

/** Fields that both changed since they began with the same text, each in another way. */
export function clashes(base: string, theirs: string, mine: string): readonly string[] {
  const ours = changesBetween(base, mine) ?? []
  const others = changesBetween(base, theirs) ?? []
  return ours
    .filter(({ path, after }) =>
      others.some((other) => isWithin(path, other.path) && other.after !== after),
    )
    .map(({ path }) => path)
}

/** Whether one of them is the other, or a part of it. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`)
}
