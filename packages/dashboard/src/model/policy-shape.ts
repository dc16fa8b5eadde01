import type { MatchedRule, Policy, Reason } from '@statewright/core'
import type { Used } from '@statewright/core/wire'

/** A policy that stands on its own, attached to a project or a role. */
export interface AttachedPolicy {
  readonly name: string
  readonly project: string | null
  readonly version: number
  readonly policy: Policy
  readonly saved_by?: string
  readonly updatedAt: string
}

/** One version of it, of the newest or of before. */
export interface PolicyVersion extends AttachedPolicy {
  /** It was removed here; the policy is what it said until then. */
  readonly removed?: boolean
}

/** A policy that a workflow or process carries. */
export interface DefinedPolicy {
  readonly name: string
  readonly definition: string
  readonly kind: 'workflow' | 'process'
  readonly version: number
  readonly policy: Policy
}

export interface Explained {
  readonly capability: string
  readonly role: string
  readonly decision: 'allow' | 'ask' | 'deny'
  readonly rule?: MatchedRule & { readonly policy: string }
  readonly usage?: Used
  readonly reasons: readonly Reason[]
  readonly policies: readonly {
    readonly policy: string
    readonly decision: 'allow' | 'ask' | 'deny'
    readonly rule: MatchedRule | null
    readonly usage: readonly Used[]
    readonly reasons: readonly Reason[]
  }[]
}
