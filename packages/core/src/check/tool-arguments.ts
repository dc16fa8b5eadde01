import { isJsonObject } from '../base/json.ts'
import { judgedTool, toolRef } from '../call/tool-names.ts'
import type { ServerTools } from './check-context.ts'

/** What is known of the arguments of a tool: JSON types by name, `any` where a schema is silent. */
export interface ToolArguments {
  readonly types: ReadonlyMap<string, string>
  /** Others may come as well. */
  readonly isOpen: boolean
}

/** The arguments of a tool by its schema; undefined where nobody knows it. */
export function toolArguments(
  tool: string,
  servers: readonly ServerTools[] | undefined,
): ToolArguments | undefined {
  const ref = toolRef(tool)
  if (ref.server === undefined) return clientArguments(tool)
  const server = servers?.find((one) => one.server === ref.server)
  const schema = server?.schemas?.[ref.tool]
  if (!isJsonObject(schema) || !isJsonObject(schema.properties)) return undefined
  const types = new Map(
    Object.entries(schema.properties).map(([name, property]) => [name, typeOf(property)] as const),
  )
  return { types, isOpen: schema.additionalProperties !== false && types.size === 0 }
}

function typeOf(property: unknown): string {
  const type = isJsonObject(property) ? property.type : undefined
  if (type === 'integer') return 'number'
  return typeof type === 'string' ? type : 'any'
}

/** Clients call the arguments of their own tools differently, so that only the usual are told. */
function clientArguments(tool: string): ToolArguments | undefined {
  if (judgedTool({ tool }) !== 'WebFetch') return undefined
  return { types: new Map([['url', 'string']]), isOpen: true }
}
