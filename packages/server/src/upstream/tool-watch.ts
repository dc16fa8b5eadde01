import type { UpstreamSpec } from './spec.ts'

/** What a server lists of a tool, as far as a model or we read it. */
export interface ListedTool {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
}

/** Compares what servers list with what people know of them; who keeps that is not told here. */
export interface ToolWatch {
  look(server: string, spec: UpstreamSpec, tools: readonly ListedTool[]): Promise<void>
  /** Tools that are not as they were accepted: neither shown nor called. */
  changed(server: string): ReadonlySet<string>
}

/** A tool whose words have changed must not be read by a model before a person has (SH-18c). */
export async function lookAtTools(
  watch: ToolWatch | undefined,
  listed: {
    readonly name: string
    readonly spec: UpstreamSpec
    readonly tools: readonly ListedTool[]
  },
  onNote: (text: string) => void,
): Promise<void> {
  if (watch === undefined) return
  const { name, spec, tools } = listed
  const before = [...watch.changed(name)].join(', ')
  await watch.look(name, spec, tools)
  const changed = [...watch.changed(name)].join(', ')
  if (changed === before || changed === '') return
  onNote(
    `Tools of ${name} are not as a person accepted them and stay hidden: ${changed}. ` +
      'Look at them with "statewright config accept".',
  )
}
