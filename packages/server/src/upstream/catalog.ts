import {
  type Client,
  isSpecType,
  type Prompt,
  type Resource,
  type ResourceTemplateType,
  type Tool,
} from '@modelcontextprotocol/client'
import { unreachable } from '@statewright/core/internal'
import { z } from 'zod'
import { upstreamLimits } from './spec.ts'

/** Everything one server offers, as far as it can be shown. */
export interface Catalog {
  readonly tools: readonly Tool[]
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplateType[]
  readonly prompts: readonly Prompt[]
}

export const emptyCatalog: Catalog = { tools: [], resources: [], templates: [], prompts: [] }

export type CatalogPart = keyof Catalog

/** Passed on as they came: what a newer server says and we do not know must not be lost. */
export const AnyResult = z.looseObject({})

const page = z.looseObject({ nextCursor: z.string().optional() })

const timeout = upstreamLimits.connectMs

export const catalogKinds = ['tools', 'resources', 'templates', 'prompts'] as const

/** Reads all lists; one that cannot be read is empty, and `note` hears why. */
export async function readCatalog(
  client: Client,
  note: (text: string, fault?: unknown) => void,
): Promise<Catalog> {
  const read = (part: CatalogPart) =>
    readPart(client, part, (what) => note(`left out of its ${part}: ${what}`)).catch((fault) => {
      note(`its ${part} could not be listed`, fault)
      return []
    })
  const [tools, resources, templates, prompts] = await Promise.all(catalogKinds.map(read))
  return {
    tools: (tools ?? []).filter(isSpecType.Tool),
    resources: (resources ?? []).filter(isSpecType.Resource),
    templates: (templates ?? []).filter(isSpecType.ResourceTemplate),
    prompts: (prompts ?? []).filter(isSpecType.Prompt),
  }
}

async function readPart(
  client: Client,
  part: CatalogPart,
  onDropped: (what: string) => void,
): Promise<Pick<Catalog, CatalogPart>[CatalogPart]> {
  const capabilities = client.getServerCapabilities() ?? {}
  switch (part) {
    case 'tools':
      if (capabilities.tools === undefined) return []
      return fitting(await readAll(client, 'tools/list', 'tools'), isShownTool, onDropped)
    case 'prompts':
      if (capabilities.prompts === undefined) return []
      return fitting(await readAll(client, 'prompts/list', 'prompts'), isShownPrompt, onDropped)
    case 'resources':
      if (capabilities.resources === undefined) return []
      return fitting(
        await readAll(client, 'resources/list', 'resources'),
        isSpecType.Resource,
        onDropped,
      )
    case 'templates':
      if (capabilities.resources === undefined) return []
      return fitting(
        await readAll(client, 'resources/templates/list', 'resourceTemplates'),
        isSpecType.ResourceTemplate,
        onDropped,
      )
    default:
      return unreachable(part)
  }
}

async function readAll(client: Client, method: string, key: string): Promise<unknown[]> {
  const found: unknown[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < upstreamLimits.listPages; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method, params }, page, { timeout })
    const items = result[key]
    if (Array.isArray(items)) found.push(...items.slice(0, upstreamLimits.listed))
    const next = result.nextCursor
    if (next === undefined || next === cursor || found.length >= upstreamLimits.listed) break
    cursor = next
  }
  return found.slice(0, upstreamLimits.listed)
}

/** One thing that is not well formed is left out; it must not take the others with it. */
function fitting<Shape>(
  items: readonly unknown[],
  fits: (item: unknown) => item is Shape,
  onDropped: (what: string) => void,
): Shape[] {
  return items.filter((item): item is Shape => {
    const isGood = fits(item) && JSON.stringify(item).length <= upstreamLimits.listedBytes
    if (!isGood) onDropped(JSON.stringify(item)?.slice(0, 200) ?? 'undefined')
    return isGood
  })
}

/**
 * Names that other clients would read in parts: `mcp__x__y` is how a client spells the tool of a
 * server, so that a tool of that very name could be taken for another one.
 */
const plainName = /^(?!mcp__)[A-Za-z0-9_./-]{1,128}$/

function isShownTool(item: unknown): item is Tool {
  return isSpecType.Tool(item) && plainName.test(item.name)
}

function isShownPrompt(item: unknown): item is Prompt {
  return isSpecType.Prompt(item) && item.name.length <= 200
}
