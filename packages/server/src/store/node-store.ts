/**
 * Which server works on which session. A session is at work in one process at a time, and every
 * process has a name of its own. Where several share a store each says again and again that it
 * lives; the sessions of one that has fallen silent are taken over by another (SE-18).
 */
export interface NodeStore {
  /** Sessions that have not stopped and belong to a node that lives no more, oldest first. */
  orphans(node: string, limit: number): Promise<readonly Orphan[]>
  /** Takes a session from a node; false where that one lives, or has it no longer. */
  claim(sessionId: string, from: string, to: string): Promise<boolean>
  /** What several processes on one store need; absent where the store has one user. */
  readonly shared?: SharedNodes
}

export interface Orphan {
  readonly sessionId: string
  readonly node: string
  readonly harness: string
  readonly projectPath: string
  /** By which the children of its node are known, where it left word. */
  readonly mark: string | null
}

/** Numbers that the database raises itself, in the transaction of each change. */
export interface Versions {
  /** Of policies, configuration, mode and tokens. */
  readonly rules: number
  /** Of which run is whose: runs that began, ended or were bound. */
  readonly bonds: number
}

/** What one node tells the others of, for a while. */
export interface NodeNote {
  readonly topic: string
  readonly key: string
  readonly body: string
}

export interface SharedNodes {
  /** Tells of something under a topic, for so long, in place of what had the same key. */
  note(note: NodeNote, ms: number): Promise<void>
  /** What was told under a topic, with how long ago, by the clock of the database. */
  notes(topic: string): Promise<readonly (NodeNote & { readonly ageMs: number })[]>
  dropNote(note: Pick<NodeNote, 'topic' | 'key'>): Promise<void>
  /** As they stand now, whichever node has raised them. */
  versions(): Promise<Versions>
  /**
   * The node lives for so long from now on, by the clock of the database. Says how many others
   * live: while there are none, nobody leaves requests.
   */
  renew(node: string, mark: string, ms: number): Promise<number>
  /** It has stopped in order: others need not wait. */
  leave(node: string): Promise<void>
  /** Where sessions stand now, for those who follow one that is at work elsewhere. */
  positions(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Leaves a request for the node that has the session. */
  post(request: PostedRequest): Promise<void>
  /** Requests for sessions of this node that nobody has answered, oldest first. */
  posted(node: string, limit: number): Promise<readonly PostedRequest[]>
  /** For a request that changed nothing; what changes a session is answered in its commit. */
  answer(answered: AnsweredRequest): Promise<void>
  /** The answer, once there is one; it is given out once. */
  takeAnswer(requestId: string): Promise<string | undefined>
  /** Nobody waits for it any more: anyone who has not begun with it never does. */
  withdraw(requestId: string): Promise<void>
}

export interface PostedRequest {
  readonly requestId: string
  readonly sessionId: string
  /** Who asks and for what, as JSON text. */
  readonly body: string
}

export interface AnsweredRequest {
  readonly requestId: string
  /** JSON text. */
  readonly answer: string
}
