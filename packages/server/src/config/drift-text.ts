import type { SettingChange } from './loosening.ts'
import type { ToolDrift } from './tool-pins.ts'

/** What a server describes again, as a change of the configuration that a person accepts. */
export function driftChange(drift: ToolDrift): SettingChange & { readonly loosens: string } {
  const { server, tool, from, to } = drift
  const key = `upstreams.${server}.${tool}`
  if (from === null) {
    return { key, from: null, to: shown(to), loosens: `${server} offers more and more tools.` }
  }
  // Prompts and resources say themselves what they are.
  const whose = `The ${tool.includes(' ') ? tool : `tool ${tool}`} of ${server}`
  if (from.description !== to.description) {
    const loosens =
      `${whose} has another description than the one that a person accepted: ` +
      `${JSON.stringify(from.description.slice(0, 300))} is now ` +
      `${JSON.stringify(to.description.slice(0, 300))}.`
    return { key, from: from.description, to: to.description, loosens }
  }
  const what =
    from.schema === to.schema
      ? 'has another title, result, icon, hints or data'
      : 'takes other input'
  return { key, from: shown(from), to: shown(to), loosens: `${whose} ${what} than before.` }
}

function shown({ description, schema }: ToolDrift['to']): object {
  return { description, schema }
}
