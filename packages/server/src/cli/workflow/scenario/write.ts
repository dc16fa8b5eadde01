import type { Counterexample } from '@statewright/core/internal'

export interface RefutedClaim {
  readonly name: string
  readonly counterexample: Counterexample
}

export interface ScenarioHead {
  readonly definition: string
  readonly invokes?: readonly string[] | undefined
  readonly strict?: boolean | undefined
}

/** A scenario file of what refutes claims: each story shows that it can happen. */
export function scenarioText(head: ScenarioHead, refuted: readonly RefutedClaim[]): string {
  const { definition, invokes, strict } = head
  const lines = [
    `definition: ${valueText(definition)}`,
    ...(invokes === undefined ? [] : [`invokes: ${JSON.stringify(invokes)}`]),
    ...(strict === true ? ['strict: true'] : []),
    'scenarios:',
    ...refuted.flatMap(({ name, counterexample }) => [
      `  - name: ${valueText(`refutes: ${name}`)}`,
      '    steps:',
      ...stepLines(counterexample).map((line) => `      ${line}`),
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** The steps alone, one key per line. */
export function stepLines({ steps, end }: Counterexample): string[] {
  // A claim that the very start refutes has no step before it.
  const all = steps.length === 0 ? [{ state: end.state }] : steps
  return all.flatMap((step) =>
    Object.entries(step).map(([key, value], index) => {
      return `${index === 0 ? '- ' : '  '}${key}: ${valueText(value)}`
    }),
  )
}

/** JSON is YAML; what is plain without quotes is shown so. */
function valueText(value: unknown): string {
  const isPlain =
    typeof value === 'string' &&
    /^[A-Za-z$][\w ./$-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value) &&
    !value.endsWith(' ')
  return isPlain ? value : JSON.stringify(value)
}
