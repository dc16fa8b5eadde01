import type { ChildResult, Variables } from '../../packages/server/testing/child.ts'

/** A turn of the model, or a function that makes it, for scripts that do something meanwhile. */
export type Turn<Reply> =
  | readonly (Reply | { readonly text: string })[]
  | (() => readonly Reply[] | Promise<readonly Reply[]>)

/** A scripted model, and what the client has sent it. */
export interface DrivenModel {
  readonly url: string
  count(): number
  /** What the model was given anew with a request: results of tools and words of ours. */
  received(request: number): string
  /** Where our brief stands in a request. */
  brief(request: number): string
  close(): Promise<void>
}

export interface ClientFolders {
  readonly home: string
  readonly work: string
}

/** A real coding client, in the words of its tools and its files. */
export interface DrivenClient<Reply> {
  readonly name: string
  readonly id: 'claude-code' | 'codex' | 'copilot' | 'gemini' | 'opencode'
  readonly isInstalled: boolean
  startModel(script: readonly Turn<Reply>[]): Promise<DrivenModel>
  run(options: ClientFolders & { modelUrl: string; environment?: Variables }): Promise<ChildResult>
  /** What a person has in their home before they hear of us, such as the way to the model. */
  prepare(home: string): void
  write(work: string, name: string): Reply
  read(file: string): Reply
  shell(command: string): Reply
  transition(event: string): Reply
  /** Attempts to switch us off by its own settings, and the files that must stay as they are. */
  switchOff(folders: ClientFolders): {
    readonly calls: readonly Reply[]
    readonly files: readonly string[]
    readonly absent: readonly string[]
  }
  /** Puts another MCP server under our name into its settings, where it would be started. */
  impersonate?(home: string, program: readonly string[]): void
  readonly settings: Settings
}

/** What installing changes in a home. */
export interface Settings {
  readonly files: readonly SettingsFile[]
  /** What is there only while we are installed. */
  readonly made?: string
}

export interface SettingsFile {
  readonly path: string
  /** Text in a shape that no program would write, and a change that a person makes later. */
  readonly before: string
  readonly change: readonly [from: string, to: string]
  readonly broken: string
}
