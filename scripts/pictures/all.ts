import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Graph,
  type ParsedDefinition,
  parseDefinition,
  processGraph,
  workflowGraph,
} from '@statewright/core/internal'
import { draw, type Picture, type Shape } from './draw.ts'

const guide = fileURLToPath(new URL('../../docs/guide/', import.meta.url))

/** Every drawing that the guide shows, by its name in docs/images. */
export async function pictures(): Promise<Map<string, string>> {
  const drawn = new Map<string, string>()
  for (const name of readdirSync(guide)) {
    const page = readFileSync(join(guide, name), 'utf8')
    for (const [, words = '', image = ''] of page.matchAll(shown)) {
      drawn.set(`graph-${image}.svg`, await draw(pictureOf(image, words, page)))
    }
  }
  return drawn
}

const shown = /!\[([^\]]+)\]\(\.\.\/images\/graph-([\w-]+)\.svg\)/g

/** A definition that stands on the same page, unless the picture is of something else. */
function pictureOf(name: string, label: string, page: string): Picture {
  if (name === 'decision') return decision(label)
  const source = new RegExp(`^\`\`\`yaml\\n(# file: ${name}\\.yaml\\n[\\s\\S]*?)^\`\`\`$`, 'm')
  const text = source.exec(page)?.[1]
  if (text === undefined) throw new Error(`No definition ${name}.yaml on the page of its picture.`)
  const graph = graphOf(parseDefinition(text))
  if (graph === undefined) throw new Error(`${name}.yaml cannot be read.`)
  return {
    label,
    direction: 'DOWN',
    shapes: shapesOf(graph),
    arrows: graph.edges.map(({ from, to, label, kind }) => ({
      from,
      to,
      label,
      isDotted: kind === 'interrupt' || kind === 'safe_next' || kind === 'join',
    })),
  }
}

/** In reading order: the start, what can happen in any state, the rest, the way back. */
function shapesOf({ nodes, edges }: Graph): Shape[] {
  const shape = ({ name, note, isInitial, isFinal }: Graph['nodes'][number]): Shape => ({
    id: name,
    title: name,
    note,
    ...(isInitial ? { kind: 'start' } : isFinal ? { kind: 'end' } : {}),
  })
  const others: readonly Shape[] = [
    { id: '*', title: 'any state', kind: 'any' },
    { id: '$return', title: 'where it was', kind: 'any' },
  ]
  const [any = [], back = []] = others.map((one) =>
    edges.some(({ from, to }) => from === one.id || to === one.id) ? [one] : [],
  )
  const first = nodes.filter(({ isInitial }) => isInitial)
  const rest = nodes.filter(({ isInitial }) => !isInitial)
  return [...first.map(shape), ...any, ...rest.map(shape), ...back]
}

function graphOf(parsed: ParsedDefinition): Graph | undefined {
  if (parsed.definition === undefined) return undefined
  return parsed.kind === 'process'
    ? processGraph(parsed.definition)
    : workflowGraph(parsed.definition)
}

/** What happens to every tool call. */
function decision(label: string): Picture {
  return {
    label,
    direction: 'DOWN',
    shapes: [
      { id: 'agent', title: 'Agent', note: 'wants to call a tool', kind: 'start' },
      { id: 'entry', title: 'Entry point', note: 'hook, gateway, session, library' },
      { id: 'rules', title: 'Statewright', note: 'which run, which state, which rules' },
      { id: 'allow', title: 'Allow', note: 'the tool runs', kind: 'yes' },
      { id: 'ask', title: 'Ask', note: 'a person decides', kind: 'ask' },
      { id: 'deny', title: 'Deny', note: 'the agent reads why', kind: 'no' },
    ],
    arrows: [
      { from: 'agent', to: 'entry', label: '' },
      { from: 'entry', to: 'rules', label: '' },
      { from: 'rules', to: 'allow', label: '' },
      { from: 'rules', to: 'ask', label: '' },
      { from: 'rules', to: 'deny', label: '' },
    ],
  }
}
