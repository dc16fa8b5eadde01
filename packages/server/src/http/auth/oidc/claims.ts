import { hash } from 'node:crypto'
import { own } from '@statewright/core/internal'
import type { Verb } from '@statewright/core/wire'
import type { OidcConfig } from '../../../config/oidc-schema.ts'

/** What a provider says of a person, its signature checked. */
export type Claims = Readonly<Record<string, unknown>>

/** Somebody whom a provider knows: the pair is theirs, whatever they are called. */
export interface ProviderId {
  readonly issuer: string
  readonly subject: string
}

const nameLength = 60
const subjectLength = 100

/**
 * The person as tokens and histories call them: their name, and behind it who that is. Two people
 * with one name stay two, and none of them is the local person of that name.
 */
export function personName(
  { issuer, subject }: ProviderId,
  claims: Claims,
  claim = 'name',
): string {
  const given = claimAt(claims, claim)
  const clean = typeof given === 'string' ? given.replaceAll(/[<>\p{C}]/gu, '').trim() : ''
  const name = [...(clean === '' ? subject : clean)].slice(0, nameLength).join('')
  return `${name.replaceAll(/[<>\p{C}]/gu, '')} <${nameable(subject)} at ${issuer}>`
}

/** Whom a provider knows under this name; undefined for local people. */
export function providerIdOf(person: string | null): ProviderId | undefined {
  const [, subject, issuer] = /<([^<>\s]+) at ([^<>\s]+)>$/.exec(person ?? '') ?? []
  return subject === undefined || issuer === undefined ? undefined : { issuer, subject }
}

/** Whether two logins belong to one person, who may have changed their name in between. */
export function isSamePerson(one: string | null, other: string | null): boolean {
  const [left, right] = [providerIdOf(one), providerIdOf(other)]
  if (left === undefined || right === undefined) return false
  return left.issuer === right.issuer && left.subject === right.subject
}

/** What the roles of a person let them do; undefined where none of them is one of ours. */
export function verbsOf(
  claims: Claims,
  { roles, roles_claim = 'roles', without_role = 'refuse' }: OidcConfig,
): readonly Verb[] | undefined {
  const mapped = rolesIn(claims, roles_claim).flatMap((role) => {
    const verbs = own(roles, role)
    return verbs === undefined ? [] : [verbs]
  })
  if (mapped.length === 0) return without_role === 'look' ? [] : undefined
  return [...new Set(mapped.flat())]
}

function rolesIn(claims: Claims, claim: string): readonly string[] {
  const given = claimAt(claims, claim)
  const list = Array.isArray(given) ? given : [given]
  return list.filter((role) => typeof role === 'string')
}

/** By its own name first, since some are addresses; else the dots lead into objects. */
export function claimAt(claims: Claims, claim: string): unknown {
  if (Object.hasOwn(claims, claim)) return claims[claim]
  let found: unknown = claims
  for (const part of claim.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Claims)[part] // An object that has it.
  }
  return found
}

/** In one word, and one that stays readable in a history. */
function nameable(subject: string): string {
  const word = encodeURIComponent(subject.toWellFormed())
  return word.length <= subjectLength ? word : `sha256:${hash('sha256', subject)}`
}
