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
  type Pick,
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
  const pick = picker(seed)
  const { program, world, definition, claim } = worldOf(pick)
  const found = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
    calls: Object.values(calls),
    bounds,
  }).prove(claim)
  if (!found.ok) throw new Error(`seed ${seed}: ${found.error}`)
  const { verdict } = found.value
  const { holds, isWhole } = bruteForce(program, claim, world)
  const about = () =>
    [`seed ${seed}`, ...[claim, definition, found.value].map((one) => JSON.stringify(one))].join(
      '\n',
    )
  const answer = { verdict, isWhole }
  if (verdict === 'proved' && !holds) return { ...answer, dispute: `It does happen. ${about()}` }
  if (verdict === 'refuted' && holds && isWhole) {
    return { ...answer, dispute: `It never happens. ${about()}` }
  }
  return { ...answer, dispute: null }
}

interface RandomWorld {
  readonly program: Program
  readonly definition: JsonObject
  readonly claim: Claim
  readonly world: World
}

/** Some definitions that are drawn are none; then others are drawn. */
function worldOf(pick: Pick): RandomWorld {
  for (;;) {
    const definition = randomWorkflow(pick)
    const child = randomChild(pick)
    const program = programOf(definition, child)
    if (program === null) continue
    const claim = randomClaim(pick, definition)
    const text = JSON.stringify([definition, child])
    const made = [...callsFor(definition), ...Object.values(calls)]
    const isNamed = ({ never }: Claim, call: unknown) => never?.call === call
    const chosen = made.filter(
      (call, index) => index < callsFor(definition).length || isNamed(claim, call),
    )
    return {
      program,
      definition,
      claim,
      world: {
        calls: [...new Set(chosen)],
        fields: [...new Set([...text.matchAll(/"field":"([^"]*)"/g)].map(([, one = '']) => one))],
        changesFiles: definition.evidence !== undefined,
        countsCalls: text.includes('max_iterations'),
        countsFiles: text.includes('max_files_per_state'),
        goesOn: claim.in?.some((state) => ['end', 'lost'].includes(state)) === true,
      },
    }
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
