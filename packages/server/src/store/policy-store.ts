/** Policies attached to a project or a role, beside those that definitions carry (PO-1). */
export interface PolicyStore {
  /** Saves a new version, which holds from now on. */
  save(policy: NewPolicy): Promise<PolicyRow>
  get(name: string): Promise<PolicyRow | undefined>
  /** The newest version of each, by name. */
  list(): Promise<readonly PolicyRow[]>
  /** Removes it; that, too, is a version, so that who did it and when stays known. */
  remove(name: string, by: { readonly savedBy: string; readonly savedAt: number }): Promise<boolean>
  /** Every version there ever was, newest first, also of one that was removed. */
  versions(name: string): Promise<readonly PolicyVersion[]>
  /** Counts the changes to all policies: what was decided at another number does not hold. */
  epoch(): Promise<number>
}

export interface NewPolicy {
  readonly name: string
  /** It holds for calls in this project; null when it is attached to a role instead. */
  readonly project: string | null
  /** As JSON. */
  readonly text: string
  readonly savedBy: string
  readonly savedAt: number
}

export interface PolicyRow extends NewPolicy {
  readonly version: number
  readonly createdAt: number
}

export interface PolicyVersion extends PolicyRow {
  /** It was removed here: the text is what it said until then. */
  readonly removed: boolean
}
