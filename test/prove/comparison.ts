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
} from '@statewright/core/internal'
import { bruteForce, type World } from './brute-force.ts'
import {
  calls,
  callsFor,
  type Pick as Picker,
  picker,
  randomChild,
  randomClaim,
  randomWorkflow,
} from './random-worlds.ts'

/** What both say of one random claim on one random definition. */
export interface Comparison {
  readonly verdict: ProofAnswer['verdict']
  /** Whether brute force has looked at everything. */
  readonly isWhole: boolean
  /** What they disagree about. */
  readonly dispute: string | null
}

/** What takes longer is left: many small worlds say more than a few large ones. */
const bounds = { situations: 3000, moves: 60_000 }

export function compare(seed: number): Comparison {
  return compareIn(randomWorld(picker(seed)), `seed ${seed}`)
}

/** The same of one world that somebody made up. */
export function compareIn(claimed: ClaimedWorld, name: string): Comparison {
  const { program, world, definition, claim } = claimed
  const found = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
    calls: Object.values(calls),
    bounds,
  }).prove(claim)
  if (!found.ok) throw new Error(`${name}: ${found.error}`)
  const { verdict } = found.value
  const { holds, isWhole } = bruteForce(program, claim, world)
  const about = () =>
    [name, ...[claim, definition, found.value].map((one) => JSON.stringify(one))].join('\n')
  const answer = { verdict, isWhole }
  if (verdict === 'proved' && !holds) return { ...answer, dispute: `It does happen. ${about()}` }
  if (verdict === 'refuted' && holds && isWhole) {
    return { ...answer, dispute: `It never happens. ${about()}` }
  }
  return { ...answer, dispute: null }
}

/** A definition, a claim on it, and what may happen in its runs. */
export interface ClaimedWorld {
  readonly program: Program
  readonly definition: JsonObject
  readonly claim: Claim
  readonly world: World
}

/** Some definitions that are drawn are none; then others are drawn. */
function randomWorld(pick: Picker): ClaimedWorld {
  for (;;) {
    const definition = randomWorkflow(pick)
    const child = randomChild(pick)
    if (programOf(definition, child) === null) continue
    const made = worldOf({ definition, child, claim: randomClaim(pick, definition) })
    if (made !== null) return made
  }
}

/** Null where the definitions are none. */
export function worldOf(
  written: Pick<ClaimedWorld, 'definition' | 'claim'> & { readonly child: JsonObject },
): ClaimedWorld | null {
  const { definition, child, claim } = written
  const program = programOf(definition, child)
  if (program === null) return null
  const text = JSON.stringify([definition, child])
  const isNamed = (call: unknown) => claim.never?.call === call
  const named = Object.values(calls).filter(isNamed)
  return {
    program,
    definition,
    claim,
    world: {
      calls: [...new Set([...callsFor(definition), ...named])],
      fields: [...new Set([...text.matchAll(/"field":"([^"]*)"/g)].map(([, one = '']) => one))],
      changesFiles: definition.evidence !== undefined,
      countsCalls: text.includes('max_iterations'),
      countsFiles: text.includes('max_files_per_state'),
      goesOn: claim.in?.some((state) => ['end', 'lost'].includes(state)) === true,
    },
  }
}

function programOf(definition: JsonObject, child: JsonObject): Program | null {
  const [main, other] = [definition, child].map((one) =>
    definitionIn(checkDefinition(JSON.stringify(one), { format: 'json' })),
  )
  if (main === undefined || other === undefined) return null
  const compiled = compileProgram(main, () => other)
  return compiled.ok ? compiled.value : null
}
