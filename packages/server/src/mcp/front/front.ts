import {
  type Prompt,
  type Resource,
  type ResourceTemplateType,
  type Tool,
  UriTemplate,
} from '@modelcontextprotocol/client'
import { isClientTool, ownToolNames, type ServerTools } from '@statewright/core/internal'
import { promptKey, resourceKey } from '../../upstream/tool-watch.ts'
import type { Upstream } from '../../upstream/upstream.ts'
import type { Upstreams } from '../../upstream/upstreams.ts'
import { type Fronted, frontedNames } from './names.ts'

export interface FrontOptions {
  /** When `server__tool` is used: where two names would meet, or always. */
  readonly names: 'collision' | 'always'
  /** What `tools/list` shows: what the current state allows, or everything. */
  readonly list: 'allowed' | 'all'
}

/** Prefixes of our own tools: a server may not call anything so, today's tools or tomorrow's. */
const ours = /^(?:statewright|process|memory|task)_/i

/** What all servers together offer, under names that our clients can tell apart. */
export class Front {
  readonly upstreams: Upstreams
  readonly #options: () => FrontOptions
  readonly #taken: ReadonlySet<string>
  #named: ReadonlyMap<string, Fronted<Tool>> | undefined
  #tools: ReadonlyMap<string, Fronted<Tool>> | undefined
  #prompts: ReadonlyMap<string, Fronted<Prompt>> | undefined

  constructor(upstreams: Upstreams, options: () => FrontOptions, taken: readonly string[] = []) {
    this.upstreams = upstreams
    this.#options = options
    this.#taken = new Set([...ownToolNames, ...taken].map((name) => name.toLowerCase()))
  }

  get options(): FrontOptions {
    return this.#options()
  }

  /** What was counted is counted again: a server has changed, or the configuration. */
  forget(): void {
    this.#named = undefined
    this.#tools = undefined
    this.#prompts = undefined
  }

  /** Tools that may be shown and called. */
  get tools(): ReadonlyMap<string, Fronted<Tool>> {
    this.#tools ??= new Map(
      [...this.#allTools].filter(([, { server, thing }]) => !this.#hides(server, thing.name)),
    )
    return this.#tools
  }

  /** Whether it would be here, had it not changed since a person accepted its server. */
  isChanged(name: string): boolean {
    return this.#allTools.has(name) && !this.tools.has(name)
  }

  /** A hidden tool keeps its name: the tool of another server must not slip into its place. */
  get #allTools(): ReadonlyMap<string, Fronted<Tool>> {
    // What clients call their own tools would be read as theirs in every rule.
    const isTaken = (name: string) =>
      ours.test(name) || this.#taken.has(name.toLowerCase()) || isClientTool(name)
    this.#named ??= frontedNames(this.#offers('tools'), this.options.names, isTaken)
    return this.#named
  }

  /** What each server offers; one that is away now could offer anything. */
  get serverTools(): readonly ServerTools[] {
    const fronted = [...this.tools.values()]
    const servers = [...new Set(fronted.map(({ server }) => server))]
    return servers.map((server) => {
      const own = fronted.filter((one) => one.server === server)
      const tools = own.map(({ thing }) => thing.name)
      const schemas = Object.fromEntries(own.map(({ thing }) => [thing.name, thing.inputSchema]))
      return { server, tools, listed: own.map(({ name }) => name), schemas }
    })
  }

  get prompts(): ReadonlyMap<string, Fronted<Prompt>> {
    const named = () => frontedNames(this.#offers('prompts'), this.options.names, () => false)
    this.#prompts ??= new Map(
      [...named()].filter(([, { server, thing }]) => !this.#hides(server, promptKey(thing.name))),
    )
    return this.#prompts
  }

  /** Resources by address; where two servers have one address, the first that is configured. */
  get resources(): readonly Resource[] {
    return distinct(
      this.upstreams
        .list()
        .flatMap(({ name, catalog }) =>
          catalog.resources.filter(({ uri }) => !this.#hides(name, resourceKey(uri))),
        ),
      (resource) => resource.uri,
    )
  }

  get templates(): readonly ResourceTemplateType[] {
    return distinct(
      this.upstreams
        .list()
        .flatMap(({ name, catalog }) =>
          catalog.templates.filter(
            ({ uriTemplate }) => !this.#hides(name, resourceKey(uriTemplate)),
          ),
        ),
      (template) => template.uriTemplate,
    )
  }

  /** The server that an address belongs to, the same for each call; undefined when none has it. */
  ownerOf(uri: string): Upstream | undefined {
    const all = this.upstreams.list()
    const listed = all.find((one) => one.catalog.resources.some((known) => known.uri === uri))
    if (listed !== undefined) return listed
    const templated = all.find((one) =>
      one.catalog.templates.some(
        (known) => known.uriTemplate === uri || matches(known.uriTemplate, uri),
      ),
    )
    if (templated !== undefined) return templated
    const able = all.filter((one) => one.has('resources'))
    return able.length === 1 ? able[0] : undefined
  }

  /** Its words are not those that a person accepted (SH-18c). */
  #hides(server: string, key: string): boolean {
    return this.upstreams.find(server)?.changedTools.has(key) === true
  }

  #offers<Part extends 'tools' | 'prompts'>(part: Part) {
    return this.upstreams.list().map((one) => ({ server: one.name, things: one.catalog[part] }))
  }
}

function distinct<Thing>(things: readonly Thing[], keyOf: (thing: Thing) => string): Thing[] {
  const seen = new Set<string>()
  return things.filter((thing) => {
    const key = keyOf(thing)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function matches(template: string, uri: string): boolean {
  if (template.length > 2000 || uri.length > 4000) return false
  try {
    return new UriTemplate(template).match(uri) !== null
  } catch {
    // A template that cannot be read matches nothing.
    return false
  }
}
