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
import { type Pick as Picker, picker } from './picker.ts'
import { results } from './random-conditions.ts'
import { calls, callsFor, randomChild, randomClaim, randomWorkflow } from './random-worlds.ts'

/** Calls that read, with all that they may answer with. */
const readings = [calls.read, calls.readSource].flatMap((call) =>
  results.map((structured) => ({ ...call, result: { structured } })),
)

/** What both say of one random claim on one random definition. */
export interface Comparison {
  readonly verdict: ProofAnswer['verdict']
  /** Whether brute force has looked at everything. */
  readonly isWhole: boolean
  readonly hasConditions: boolean
  /** Whether brute force has found it to hold. */
  readonly holds: boolean
  /** What they disagree about. */
  readonly dispute: string | null
}

const freeConditions = 'conditions can come out either way'

/** What takes longer is left: many small worlds say more than a few large ones. */
const bounds = { situations: 1000, moves: 6000 }

export function compare(seed: number): Comparison {
  return compareIn(randomWorld(picker(seed)), `seed ${seed}`)
}

/** The same of one world that somebody made up. */
export function compareIn(claimed: ClaimedWorld, name: string): Comparison {
  const { program, world, definition, claim } = claimed
  const found = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
    calls: [...Object.values(calls), ...readings],
    bounds,
  }).prove(claim)
  if (!found.ok) throw new Error(`${name}: ${found.error}`)
  const { verdict } = found.value
  const { holds, isWhole } = bruteForce(program, claim, world)
  const about = () =>
    [name, ...[claim, definition, found.value].map((one) => JSON.stringify(one))].join('\n')
  const hasConditions = definition.facts !== undefined
  const answer = { verdict, isWhole, hasConditions, holds }
  // Whether conditions ever come out so is what such an answer leaves open, in words.
  const isOpen = 'assumes' in found.value && found.value.assumes.includes(freeConditions)
  if (verdict === 'proved' && !holds && !isOpen)
    return { ...answer, dispute: `It does happen. ${about()}` }
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
export function randomWorld(pick: Picker): ClaimedWorld {
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
  const isInvoked = JSON.stringify(definition).includes('"invoke"')
  const text = JSON.stringify([definition, ...(isInvoked ? [child] : [])])
  const isNamed = (call: unknown) => claim.never?.call === call
  const named = Object.values(calls).filter(isNamed)
  return {
    program,
    definition,
    claim,
    world: {
      calls: [...new Set([...callsFor(definition), ...named])],
      fields: [
        ...new Set(
          [...text.matchAll(/"field":"([^"]*)"|context\.(a)/g)].map(
            ([, one, other]) => one ?? other ?? '',
          ),
        ),
      ],
      changesFiles: definition.evidence !== undefined,
      countsCalls: text.includes('max_iterations'),
      countsFiles: text.includes('max_files_per_state'),
      goesOn: claim.in?.some((state) => ['end', 'lost'].includes(state)) === true,
      resultsOf: ({ tool }) => (definition.facts !== undefined && tool === 'Read' ? results : [{}]),
      waits: text.includes('"expires"'),
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
