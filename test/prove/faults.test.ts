import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Claim,
  checkDefinition,
  compileProgram,
  definitionIn,
  describeFor,
  type JsonObject,
  type Program,
  type ProofAnswer,
  proverOf,
  readDefinitionText,
} from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { playScenario } from '../../packages/server/src/cli/workflow/scenario/play.ts'
import type { Scenario } from '../../packages/server/src/cli/workflow/scenario/schema.ts'
import { ScenarioFile } from '../../packages/server/src/cli/workflow/scenario/schema.ts'
import { lengthOf, longestMs } from '../../packages/server/testing/length.ts'
import { type Fault, faultsOf } from './faults.ts'

const folder = join(import.meta.dirname, '../../packages/server/templates')
const conditional = ['refunds', 'secret-then-network', 'verified-deploy']
const templates = readdirSync(folder)
  .filter((name) => name.endsWith('.scenarios.yaml'))
  .map((name) => name.replace('.scenarios.yaml', ''))
  .filter((name) => !conditional.includes(name))

const all = templates.flatMap((template) => {
  const definition = contentOf(`${template}.yaml`) as JsonObject // A template is an object.
  return faultsOf(definition).map((fault) => ({ template, fault }))
})
const count = lengthOf({ sample: 5, long: 500 })
// Spread over all templates and kinds of faults.
const chosen = all.filter((_, index) => (index * count) % all.length < count).slice(0, count)

describe('a fault seeded into a template', { timeout: longestMs }, () => {
  test('there are enough of every kind', () => {
    expect([...new Set(all.map(({ fault }) => fault.kind))].sort()).toEqual([
      'approval bypassed',
      'dropped guard',
      'edge too many',
      'fork that cannot join',
      'hidden interrupt',
      'trap',
    ])
  })

  test.each(chosen)(
    'PV-6, PV-9: is found, and shown to happen: $template $fault.name',
    ({ template, fault }) => {
      const program = programOf(fault.definition)
      const answers = answersOf(program, claimsFor(template, fault))
      const refuted = answers.filter(({ verdict }) => verdict === 'refuted')
      expect(refuted.map(({ verdict }) => verdict)).not.toEqual([])
      for (const answer of refuted) expect(playedBack(program, answer)).toBe(true)
    },
  )
})

/** The template's own claims, and the one that speaks of what the fault took away. */
function claimsFor(template: string, { claim }: Fault): readonly Claim[] {
  const file = ScenarioFile.parse(contentOf(`${template}.scenarios.yaml`))
  return [...(file.claims ?? []), ...(claim === undefined ? [] : [claim])]
}

function answersOf(program: Program, claims: readonly Claim[]): ProofAnswer[] {
  const describe = (call: Parameters<typeof describeFor>[1]) =>
    describeFor(program, call, { root: folder })
  const prover = proverOf(program, { describe, claims })
  const own = claims.flatMap((claim) => {
    const found = prover.prove(claim)
    return found.ok ? [found.value] : []
  })
  return [...own, ...prover.standing().map(({ answer }) => answer)]
}

/** What refutes a claim goes as it says; a claim that something can happen has no such story. */
function playedBack(program: Program, answer: ProofAnswer): boolean {
  if (answer.verdict !== 'refuted' || answer.counterexample === undefined) return true
  const { steps } = answer.counterexample
  if (steps.length === 0) return true
  // The steps are those of a scenario file, which its schema reads.
  const scenario = { name: 'it', steps } as unknown as Scenario
  const file = ScenarioFile.parse({ definition: 'x.yaml', scenarios: [scenario] })
  const [read] = file.scenarios ?? []
  if (read === undefined) return false
  const options = { strict: false, root: folder, programs: new Map() }
  return playScenario(program, read, options).ok
}

function contentOf(name: string): unknown {
  return readDefinitionText(readFileSync(join(folder, name), 'utf8'), {}).value
}

function programOf(value: JsonObject): Program {
  const definition = definitionIn(checkDefinition(JSON.stringify(value), { format: 'json' }))
  if (definition === undefined) throw new Error('the fault cannot be read')
  const compiled = compileProgram(definition)
  if (!compiled.ok) throw new Error('the fault cannot be compiled')
  return compiled.value
}
