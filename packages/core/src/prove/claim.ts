import { z } from 'zod'
import { Name } from '../definition/names.ts'

const Call = z.strictObject({
  tool: Name.describe('A tool.'),
  input: z.json().optional().describe('Its input.'),
})

const Thing = z.union([
  z.strictObject({ enter: Name.describe('A state that is entered, however that comes about.') }),
  z.strictObject({ call: Call.describe('One call, as in a step of a scenario.') }),
])

const Proof = z.union([
  z.strictObject({ evidence: Name.describe('Evidence that is fresh.') }),
  z.strictObject({
    approval: z
      .union([z.literal(true), Name])
      .describe('A person approved this very move or call; or, earlier or now, an event.'),
  }),
  z.strictObject({ visited: Name.describe('A state that was entered before.') }),
  z.strictObject({ fact: Name.describe('A fact that is known.') }),
])

const Moment = z.union([
  z.strictObject({ enter: Name.describe('A state is entered.') }),
  z.strictObject({ event: Name.describe('An event, or an answer, was carried out.') }),
  z.strictObject({ interrupt: Name.describe('An interrupt fires.') }),
])

const NeverClaim = z.strictObject({
  name: z.string().min(1).optional(),
  never: Thing.describe('What never happens.'),
  unless: z
    .union([Proof, z.array(Proof).min(1)])
    .optional()
    .describe('Where it may; all of them.'),
  in: z.array(Name).min(1).optional().describe('States that the agent stands in when it happens.'),
  from: Moment.optional().describe('Only after this.'),
  to: Moment.optional().describe('Only until this, after which `from` may begin it anew.'),
})

const ReachClaim = z.strictObject({
  name: z.string().min(1).optional(),
  can_always_reach: z
    .array(Name)
    .describe('States of which one can still be reached as long as the run lasts; none: any end.'),
})

/** Something that an author says of every run of a definition (PV-1). */
export const Claim = z.union([NeverClaim, ReachClaim])
export type Claim = z.infer<typeof Claim>
export type NeverClaim = z.infer<typeof NeverClaim>
export type ReachClaim = z.infer<typeof ReachClaim>
export type Proof = z.infer<typeof Proof>
export type Moment = z.infer<typeof Moment>

/** A claim in words, for whoever gave it no name. */
export function claimText(claim: Claim): string {
  if (claim.name !== undefined) return claim.name
  if ('can_always_reach' in claim) {
    const { can_always_reach: states } = claim
    return `can always reach ${states.length === 0 ? 'an end' : states.join(' or ')}`
  }
  const { never, unless, in: states, from, to } = claim
  return [
    `never ${'enter' in never ? `enter ${never.enter}` : `call ${callText(never.call)}`}`,
    ...(unless === undefined ? [] : [`unless ${[unless].flat().map(proofText).join(' and ')}`]),
    ...(states === undefined ? [] : [`in ${states.join(', ')}`]),
    ...(from === undefined ? [] : [`from ${momentText(from)}`]),
    ...(to === undefined ? [] : [`to ${momentText(to)}`]),
  ].join(' ')
}

function callText({ tool, input }: z.infer<typeof Call>): string {
  const { command, file_path } = Object(input)
  const about = [command, file_path].find((one) => typeof one === 'string')
  return about === undefined ? tool : `${tool} (${about})`
}

function proofText(proof: Proof): string {
  const [[kind, what] = ['', '']] = Object.entries(proof)
  if (kind === 'approval') return what === true ? 'a person approves' : `${what} was approved`
  return `${kind} ${what}`
}

function momentText(moment: Moment): string {
  const [[kind, what] = ['', '']] = Object.entries(moment)
  return `${kind} ${what}`
}
