import { isJsonObject, own } from '@statewright/core/internal'
import type { UpstreamSpec } from './spec.ts'

/** How a tool's own schema says that an argument is a path which it writes. */
const writesKeyword = 'x-statewright-writes'

interface ListedTool {
  readonly name: string
  readonly inputSchema: { readonly properties?: unknown }
}

/**
 * Arguments of a tool that are paths to write, by what its entry in the configuration or its own
 * schema says; undefined where neither says anything. What a server says of itself only adds.
 */
export function writtenPaths(
  { writes = [] }: Pick<UpstreamSpec, 'writes'>,
  { name, inputSchema }: ListedTool,
): readonly string[] | undefined {
  const configured = writes.filter(({ tool }) => tool === name).map(({ path }) => path)
  const { properties } = inputSchema
  const output = isJsonObject(properties)
    ? Object.keys(properties).filter((field) => isMarked(own(properties, field)))
    : []
  const all = [...new Set([...configured, ...output])]
  return all.length === 0 ? undefined : all
}

function isMarked(schema: unknown): boolean {
  return isJsonObject(schema) && own(schema, writesKeyword) === true
}
