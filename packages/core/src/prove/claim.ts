import { z } from 'zod'
import { Name } from '../definition/names.ts'

const Call = z.strictObject({
  tool: Name.describe('A tool.'),
  input: z.json().optional().describe('Its input.'),
})

const Thing = one({
  enter: Name.optional().describe('A state that is entered, in whatever way.'),
  call: Call.optional().describe('One call, as in a step of a scenario.'),
})

const Proof = one({
  evidence: Name.optional().describe('Evidence that is fresh.'),
  approval: z
    .union([z.literal(true), Name])
    .optional()
    .describe('`true`: a person approved this move or call. A name: a person approved this event.'),
  visited: Name.optional().describe('A state that was entered before.'),
  fact: Name.optional().describe('A fact that is known.'),
})

const Moment = one({
  enter: Name.optional().describe('A state is entered.'),
  event: Name.optional().describe('An event, or an answer, was carried out.'),
  interrupt: Name.optional().describe('An interrupt fires.'),
})

/** Something that an author says of every run of a definition (PV-1). */
export const Claim = z
  .strictObject({
    name: z.string().min(1).optional(),
    never: Thing.optional().describe('What never happens.'),
    can_always_reach: z
      .array(Name)
      .optional()
      .describe('One of these states can always still be reached; []: any final state.'),
    unless: z
      .union([Proof, z.array(Proof).min(1)])
      .optional()
      .describe('Conditions under which it may happen; all must be true.'),
    in: z.array(Name).min(1).optional().describe('Only while the agent is in one of these states.'),
    from: Moment.optional().describe('Only after this.'),
    to: Moment.optional().describe('Only until this; `from` can start it again.'),
  })
  .superRefine((claim, issues) => {
    const { never, can_always_reach: states, name: _, ...limits } = claim
    if ((never === undefined) === (states === undefined)) {
      issues.addIssue({ code: 'custom', message: 'needs either never or can_always_reach' })
    }
    if (states === undefined) return
    for (const key of Object.keys(limits)) {
      issues.addIssue({
        code: 'custom',
        path: [key],
        message: 'is only allowed together with never',
      })
    }
  })
export type Claim = z.infer<typeof Claim>
export type Proof = z.infer<typeof Proof>
export type Moment = z.infer<typeof Moment>

/** An object that says one thing. */
function one<Shape extends z.ZodRawShape>(shape: Shape) {
  const names = Object.keys(shape)
  return z.strictObject(shape).superRefine((value, issues) => {
    // One that says nothing at all is told of where its names are looked up: here a misspelt key
    // looks the same.
    if (Object.keys(value).length <= 1) return
    issues.addIssue({ code: 'custom', message: `takes only one of ${names.join(', ')}` })
  })
}

/** A claim in words, for anyone who gave it no name. */
export function claimText(claim: Claim): string {
  const { name, never, can_always_reach: states, unless, in: inStates, from, to } = claim
  if (name !== undefined) return name
  if (states !== undefined) {
    return `can always reach ${states.length === 0 ? 'an end' : states.join(' or ')}`
  }
  const { enter, call } = never ?? {}
  return [
    `never ${call === undefined ? `enter ${enter}` : `call ${callText(call)}`}`,
    ...(unless === undefined ? [] : [`unless ${[unless].flat().map(proofText).join(' and ')}`]),
    ...(inStates === undefined ? [] : [`in ${inStates.join(', ')}`]),
    ...(from === undefined ? [] : [`from ${wordsOf(from)}`]),
    ...(to === undefined ? [] : [`to ${wordsOf(to)}`]),
  ].join(' ')
}

function callText({ tool, input }: z.infer<typeof Call>): string {
  const { command, file_path } = Object(input)
  const about = [command, file_path].find((one) => typeof one === 'string')
  return about === undefined ? tool : `${tool} (${about})`
}

function proofText(proof: Proof): string {
  const { approval } = proof
  if (approval === undefined) return wordsOf(proof)
  return approval === true ? 'a person approves' : `${approval} was approved`
}

function wordsOf(words: Proof | Moment): string {
  const [[kind, what] = ['', '']] = Object.entries(words)
  return `${kind} ${what}`
}
