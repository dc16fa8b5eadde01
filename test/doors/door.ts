import type { Person } from './person.ts'
import type { Server } from './server.ts'
import type { DoorName } from './table.ts'

/** What an agent wants done, in no client's words. */
export type Act =
  /** `by` names another tool than the shell of the door, which no client is known to have. */
  | { readonly shell: string; readonly by?: string }
  /** The path is inside of the project, or absolute. */
  | { readonly write: string; readonly text: string }

/** A name that no client, server or program is known to use. */
export const unknownTool = 'do_it'

/** What came of it, as the agent itself learned it. */
export interface Outcome {
  readonly isDenied: boolean
  /** The code of a denial. */
  readonly code?: string
  /** All that the agent could read: the output, or the denial, and whatever was said beside it. */
  readonly text: string
  /** It ran, but its result was not taken: the code of the refusal. */
  readonly refusedResult?: string
  /** It ran without having been asked about, and the agent was ended for it: the code of that. */
  readonly ended?: string
}

/** One agent behind a door, held by a run of the cell's definition. */
export interface Agent {
  readonly runId: string
  /** Tries one thing, to its end. Acts come in the order in which the row lists them. */
  act(act: Act): Promise<Outcome>
  /** Tells the result of the last act a second time, where the door lets somebody do so. */
  repeatResult?(): Promise<void>
  /** What the agent reads at the beginning of its next turn, where nothing reaches it before. */
  nextTurn?(): Promise<string>
  /** What people see of the session, where the agent itself cannot be told. */
  shown?(): Promise<string>
  close(): Promise<void>
}

/** Where one row is played through one door: a definition and a project of its own. */
export interface Cell {
  readonly id: string
  readonly server: Server
  /** The agent's project. */
  readonly project: string
  /** Everything that the row will do, for agents that play a script. */
  readonly acts: readonly Act[]
  readonly definition: { readonly id: string; readonly [key: string]: unknown }
}

export interface Door {
  readonly name: DoorName
  /** How definitions and policies speak of the tool that writes a file here. */
  readonly write: { readonly tool: string; readonly capability: string }
  /** How a denial speaks of that tool. */
  readonly says: string
  open(cell: Cell): Promise<{ readonly agent: Agent; readonly person: Person }>
  /** What guards the agent's calls, where it is not the configuration of the server. */
  ownFile?(project: string): string
  /** Whether the writing has happened; of files, where it is not said. */
  hasWritten?(cell: Cell, path: string): boolean
}
