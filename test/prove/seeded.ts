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
  type Prover,
  proverOf,
  readDefinitionText,
} from '@statewright/core/internal'
import { playScenario } from '../../packages/server/src/cli/workflow/scenario/play.ts'
import { ScenarioFile } from '../../packages/server/src/cli/workflow/scenario/schema.ts'
import { type Fault, faultsOf } from './faults.ts'

const root = join(import.meta.dirname, '../..')
const templates = 'packages/server/templates'
const folders = [templates, 'examples/agentdojo', 'test/seeds']
/**
 * Facts of the first two make more situations than six hundred faults leave time for; of the last
 * no run leaves the first state, since its guard reads what nobody can send before.
 */
const left = ['slack.yaml', 'workspace.yaml', 'guards.json']

/** A fault, and what can be proved of the definition without it. */
export interface Seeded {
  readonly name: string
  readonly isTemplate: boolean
  readonly original: Prover
  readonly fault: Fault
}

export const seeded = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /\.(?:yaml|json)$/.test(name) && !name.includes('.scenarios.'))
    .filter((name) => !left.includes(name))
    .flatMap((name): Seeded[] => {
      const { value } = readDefinitionText(readFileSync(join(root, folder, name), 'utf8'), {})
      const definition = value as JsonObject // What is no definition has no faults.
      const program = programOf(definition)
      if (program === null) return []
      const original = proverFor(program)
      // A fork within a fork is no definition, for one.
      return faultsOf(definition)
        .filter((fault) => programOf(fault.definition) !== null)
        .map((fault) => ({ name, isTemplate: folder === templates, original, fault }))
    }),
)
/**
 * Whether the fault is found. Faults are made so that each changes what its claim speaks of: that
 * the original holds is what the search must say, and not what tells whether there is anything.
 */
export function look({ name, original, fault }: Seeded) {
  const program = programOf(fault.definition)
  if (program === null) throw new Error(`${name} ${fault.name}: cannot be read`)
  const { claim, kind } = fault
  const prover = proverFor(program, claim === undefined ? [] : [claim])
  const ask = (one: Prover) => (claim === undefined ? standing(one, kind) : claimed(one, claim))
  const answer = ask(prover)
  // A guard that is put in another's place may never pass, which no claim on what happens shows.
  const isDead = kind === 'dropped guard' && !isRefuted(answer) && isRefuted(standing(prover, kind))
  return {
    ...{ name, kind, fault: fault.name },
    isFound: isRefuted(answer) || isDead,
    held: ask(original).verdict === 'proved',
    isPlayed: isPlayed(program, answer),
  }
}

function isRefuted({ verdict }: ProofAnswer): boolean {
  return verdict === 'refuted' || verdict === 'refuted_if'
}

function claimed(prover: Prover, claim: Claim): ProofAnswer {
  const found = prover.prove(claim)
  if (!found.ok) throw new Error(found.error)
  return found.value
}

function standing(prover: Prover, kind: Fault['kind']): ProofAnswer {
  const [only] = prover.standing([standingOf[kind]])
  if (only === undefined) throw new Error(`${kind}: nobody answers`)
  return only.answer
}

const standingOf = {
  'approval bypassed': 'approvals',
  'dropped guard': 'guards',
  'edge too many': 'states', // Each has a claim of its own.
  'fork that cannot join': 'forks',
  'hidden interrupt': 'interrupts',
  trap: 'end',
} as const

/** What refutes a claim goes as it says; a claim that something can happen has no such story. */
function isPlayed(program: Program, answer: ProofAnswer): boolean {
  if (answer.verdict !== 'refuted' || answer.counterexample === undefined) return true
  const { steps } = answer.counterexample
  if (steps.length === 0) return true
  const scenarios = [{ name: 'it', steps }]
  const [read] = ScenarioFile.parse({ definition: 'x.yaml', scenarios }).scenarios ?? []
  if (read === undefined) return false
  return playScenario(program, read, { strict: false, root, programs: new Map() }).ok
}

function proverFor(program: Program, claims: readonly Claim[] = []): Prover {
  return proverOf(program, {
    describe: (call) => describeFor(program, call, { root }),
    claims,
  })
}

function programOf(value: JsonObject): Program | null {
  const definition = definitionIn(checkDefinition(JSON.stringify(value), { format: 'json' }))
  if (definition === undefined) return null
  const compiled = compileProgram(definition)
  return compiled.ok ? compiled.value : null
}
