import { StoreFault } from './store.ts'

/** One step forward of the schema. A released step is never changed. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly statements: readonly string[]
}

/** The steps that a database still needs. One that a newer version wrote is left alone. */
export function missingSteps(
  steps: readonly Migration[],
  applied: number,
  where: string,
): readonly Migration[] {
  const newest = steps.at(-1)?.id ?? 0
  if (applied > newest) {
    throw new StoreFault(
      'too_new',
      `The database has schema ${applied}; this version knows schemas up to ${newest}.`,
      { where, next: 'Start the version of statewright that wrote it, or a newer one.' },
    )
  }
  return steps.filter((step) => step.id > applied)
}
