import { contextDiff, type FieldChange } from '../context-diff.ts'
import type { Fold } from '../fold.ts'
import { align } from './align.ts'
import { type Exit, type Stay, type StayStep, staysOf } from './stays.ts'

/** Two runs side by side: a row for each state that one of them, or both, stayed in. */
export interface Comparison {
  readonly rows: readonly ComparedRow[]
  readonly end: ComparedEnd
  /** The first row in which anything differs, the way aside. */
  readonly firstDifference: number | undefined
}

/** Whether they went the same way. */
export type ComparedEnd =
  | { readonly kind: 'same' }
  /** They left the state of this row by other ways, or began in other states. */
  | { readonly kind: 'parted'; readonly row: number }
  /** One stands in the state of this row, the other went on. */
  | { readonly kind: 'further'; readonly row: number; readonly side: Side }

export type Side = 'left' | 'right'

export interface ComparedRow {
  readonly machine: string
  readonly state: string
  readonly branch: string
  readonly left: Stay | undefined
  readonly right: Stay | undefined
  readonly steps: readonly ComparedStep[]
  /** The data that differs, and did not differ in the same way before. */
  readonly context: readonly FieldChange[]
  readonly isSameExit: boolean
  /** How many things differ here. */
  readonly differences: number
}

export interface ComparedStep {
  readonly left: StayStep | undefined
  readonly right: StayStep | undefined
  readonly difference: StepDifference
}

export type StepDifference = 'none' | 'only_left' | 'only_right' | 'decision' | 'arguments'

export function compareRuns(left: Fold, right: Fold): Comparison {
  const [lefts, rights] = [staysOf(left), staysOf(right)]
  const aligned = align(lefts.map(stayKey), rights.map(stayKey))
  let known: ReadonlySet<string> = new Set()
  const rows = aligned.map((one) => {
    const stays = {
      left: one.left === undefined ? undefined : lefts[one.left],
      right: one.right === undefined ? undefined : rights[one.right],
    }
    const changes = changesOf(stays.left, stays.right)
    const row = rowOf(
      stays,
      changes.filter((field) => !known.has(fieldKey(field))),
    )
    if (stays.left !== undefined && stays.right !== undefined)
      known = new Set(changes.map(fieldKey))
    return row
  })
  const differs = rows.findIndex((row) => row.steps.some(hasDifference) || row.context.length > 0)
  return { rows, end: endOf(rows), firstDifference: differs === -1 ? undefined : differs }
}

interface Stays {
  readonly left: Stay | undefined
  readonly right: Stay | undefined
}

function rowOf({ left, right }: Stays, context: readonly FieldChange[]): ComparedRow {
  const { machine = '', state = '', branch = '' } = left ?? right ?? {}
  const steps = stepsOf(left?.steps ?? [], right?.steps ?? [])
  const isSameExit = left !== undefined && right !== undefined && isSame(left.exit, right.exit)
  const differing = steps.filter(hasDifference).length
  const differences = differing + context.length + (isSameExit ? 0 : 1)
  return { machine, state, branch, left, right, steps, context, isSameExit, differences }
}

function stepsOf(left: readonly StayStep[], right: readonly StayStep[]): readonly ComparedStep[] {
  const keys = (steps: readonly StayStep[]) => steps.map(({ key }) => key)
  return align(keys(left), keys(right)).map((one) => {
    const pair = {
      left: one.left === undefined ? undefined : left[one.left],
      right: one.right === undefined ? undefined : right[one.right],
    }
    return { ...pair, difference: differenceOf(pair.left, pair.right) }
  })
}

function differenceOf(left: StayStep | undefined, right: StayStep | undefined): StepDifference {
  if (right === undefined) return 'only_left'
  if (left === undefined) return 'only_right'
  if (left.decision !== right.decision) return 'decision'
  return left.argsHash === right.argsHash ? 'none' : 'arguments'
}

function hasDifference({ difference }: ComparedStep): boolean {
  return difference !== 'none'
}

/** Without one of them there is nothing to hold the data against. */
function changesOf(left: Stay | undefined, right: Stay | undefined): readonly FieldChange[] {
  if (left === undefined || right === undefined) return []
  return contextDiff(left.context, right.context).filter(({ change }) => change !== 'same')
}

function endOf(rows: readonly ComparedRow[]): ComparedEnd {
  const row = rows.findIndex(({ isSameExit }) => !isSameExit)
  const at = rows[row]
  if (at === undefined) return { kind: 'same' }
  if (at.left === undefined || at.right === undefined) return { kind: 'parted', row }
  if (at.left.exit === undefined) return { kind: 'further', row, side: 'right' }
  if (at.right.exit === undefined) return { kind: 'further', row, side: 'left' }
  return { kind: 'parted', row }
}

function isSame(left: Exit | undefined, right: Exit | undefined): boolean {
  return left?.event === right?.event && left?.to === right?.to
}

function stayKey({ machine, branch, state }: Stay): string {
  return JSON.stringify([machine, branch, state])
}

function fieldKey({ name, before, now }: FieldChange): string {
  return JSON.stringify([name, before, now])
}
