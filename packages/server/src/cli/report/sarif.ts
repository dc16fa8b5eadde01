import { version } from '../../app/version.ts'

/** A rule that results speak of. */
export interface SarifRule {
  readonly id: string
  readonly text: string
}

export interface SarifResult {
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  readonly message: string
  /** Where the rule is written, as far as that is a file. */
  readonly file?: string
  readonly line?: number
  readonly column?: number
  /** What it speaks of within the file, such as `states.testing`. */
  readonly path?: string
  /** The same one, however often it is reported: code hosts tell new results by it. */
  readonly fingerprint?: string
}

/** A report that code hosts show beside a change (SARIF 2.1.0). */
export function sarifText(rules: readonly SarifRule[], results: readonly SarifResult[]): string {
  const known = new Map(rules.map((rule, index) => [rule.id, index]))
  const run = {
    tool: {
      driver: {
        name: 'Statewright',
        version,
        informationUri: 'https://statewright.ai',
        rules: rules.map(({ id, text }) => ({ id, shortDescription: { text } })),
      },
    },
    columnKind: 'utf16CodeUnits',
    results: results.map((result) => resultOf(result, known.get(result.rule))),
  }
  const schema = 'https://json.schemastore.org/sarif-2.1.0.json'
  return `${JSON.stringify({ $schema: schema, version: '2.1.0', runs: [run] }, null, 2)}\n`
}

function resultOf(result: SarifResult, ruleIndex: number | undefined): object {
  const { rule: ruleId, level, message, fingerprint } = result
  return {
    ruleId,
    ...(ruleIndex === undefined ? {} : { ruleIndex }),
    level,
    message: { text: message },
    locations: [locationOf(result)],
    ...(fingerprint === undefined ? {} : { partialFingerprints: { statewright: fingerprint } }),
  }
}

function locationOf({ file, line, column, path }: SarifResult): object {
  const startColumn = column === undefined ? {} : { startColumn: column }
  const physicalLocation = {
    // Spaces, `#` and the like are spelled as in any address.
    artifactLocation: { uri: (file ?? '').split(/[\\/]/).map(encodeURIComponent).join('/') },
    ...(line === undefined ? {} : { region: { startLine: line, ...startColumn } }),
  }
  return {
    ...(file === undefined ? {} : { physicalLocation }),
    ...(path === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: path }] }),
  }
}
