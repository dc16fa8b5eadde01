import type { Catalog } from './catalog.ts'
import type { UpstreamSpec } from './spec.ts'

/** What a server lists of a tool, a prompt or a resource: clients get all of it to read. */
export interface ListedTool {
  /** Of a tool its name; of others what they are as well, which no tool can be called. */
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema?: unknown
}

export const promptKey = (name: string) => `prompt ${name}`
export const resourceKey = (uri: string) => `resource ${uri}`

/** Everything of a catalog that is compared; how large a resource is may change by itself. */
export function watchedIn({ tools, prompts, resources, templates }: Catalog): ListedTool[] {
  const addressed = [
    ...resources.map(({ size: _, ...more }) => ({ ...more, key: resourceKey(more.uri) })),
    ...templates.map((more) => ({ ...more, key: resourceKey(more.uriTemplate) })),
  ]
  return [
    ...tools,
    ...prompts.map((prompt) => ({ ...prompt, name: promptKey(prompt.name) })),
    ...addressed.map(({ key, name, annotations, ...more }) => {
      const { lastModified: _, ...hints } = annotations ?? {}
      return { ...more, annotations: hints, label: name, name: key }
    }),
  ]
}

/** Compares what servers list with what people know of them; who keeps that is not told here. */
export interface ToolWatch {
  look(server: string, spec: UpstreamSpec, tools: readonly ListedTool[]): Promise<void>
  /** What is not as it was accepted: neither shown nor called. */
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
    `${name} offers other tools than a person accepted; these stay hidden: ${changed}. ` +
      'Review them with "statewright config accept".',
  )
}
