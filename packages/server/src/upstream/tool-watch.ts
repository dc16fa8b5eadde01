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
