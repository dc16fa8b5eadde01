import { describe, expect, test } from 'vitest'
import type { ServerTools } from './check-context.ts'
import { checkDefinition } from './check-definition.ts'

const side: ServerTools = {
  server: 'side',
  tools: ['note', 'bash'],
  listed: ['note', 'side__bash'],
}

function output(entry: string, tools?: readonly ServerTools[]): string[] {
  const states = { a: { allowed_tools: [entry], on: { GO: 'b' } }, b: { type: 'final' } }
  const definition = { id: 'w', initial: 'a', states }
  const { findings } = checkDefinition(definition, tools === undefined ? {} : { tools })
  return findings.map(({ code, severity, path, message }) => {
    expect([code, severity, path.join('.')]).toEqual([
      'unknown_tool',
      'warning',
      'states.a.allowed_tools.0',
    ])
    return message
  })
}

describe('a name in allowed_tools that no known tool has', () => {
  test.each([
    ['Raed', 'No tool is known as "Raed". Did you mean "Read"?'],
    ['READ', 'No tool is known as "READ". Did you mean "Read"?'],
    ['Edti', 'No tool is known as "Edti". Did you mean "Edit"?'],
    ['write_fiel', 'No tool is known as "write_fiel". Did you mean "write_file"?'],
  ])('WF-6d: %s is told with the nearest one', (entry, message) => {
    expect(output(entry)).toEqual([message])
  })

  test.each([
    'Read',
    'apply_patch',
    'LSP',
    'deploy_to_staging',
    'mcp__anything__at_all',
    'mcp__side__*',
    'Bash(git log *)',
    '*',
    'statewright_get_state',
    'container.exec',
  ])('WF-6d: nothing is said of %s', (entry) => {
    expect(output(entry)).toEqual([])
  })

  test.each([
    ['mcp__side__nota', 'The server "side" offers no tool "nota". Did you mean "note"?'],
    ['mcp__side__delete', 'The server "side" offers no tool "delete".'],
    ['side__nota', 'No tool is known as "side__nota". Did you mean "side__note"?'],
  ])('WF-6d: %s is held against what a known server offers', (entry, message) => {
    expect(output(entry, [side])).toEqual([message])
  })

  test.each(['note', 'side__note', 'side__bash', 'mcp__side__bash', 'mcp__other__tool'])(
    'WF-6c: %s is a name of a tool behind the gateway, or may be one',
    (entry) => {
      expect(output(entry, [side])).toEqual([])
    },
  )
})
