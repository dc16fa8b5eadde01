import { describe, expect, test } from 'vitest'
import { type DiagramNode, layOut } from './diagram.ts'

const nodes: DiagramNode[] = [
  { name: 'failed', kind: 'final' },
  { name: 'planning', kind: 'initial' },
  { name: 'building', kind: 'plain' },
  { name: 'island', kind: 'plain' },
]
const edges = [
  { from: 'planning', to: 'building', label: 'READY' },
  { from: 'building', to: 'planning', label: 'BACK' },
  { from: 'building', to: 'failed', label: 'FAIL' },
  { from: 'building', to: 'failed', label: 'GIVE_UP' },
  { from: 'building', to: 'nowhere', label: 'LOST' },
]

describe('the diagram', () => {
  const diagram = layOut(nodes, edges)

  test('puts states in layers by their distance from the first, unreachable ones last', () => {
    const order = [...diagram.nodes].sort((a, b) => a.y - b.y).map((node) => node.name)
    expect(order).toEqual(['planning', 'building', 'failed', 'island'])
  })

  test('draws several events between two states as one arrow, and none to a missing state', () => {
    expect(diagram.edges.map((edge) => `${edge.from} ${edge.label} ${edge.to}`)).toEqual([
      'planning READY building',
      'building BACK planning',
      'building FAIL, GIVE_UP failed',
    ])
  })

  test('holds every box and every label', () => {
    for (const node of diagram.nodes) {
      expect(node.x).toBeGreaterThanOrEqual(0)
      expect(node.x + node.width).toBeLessThanOrEqual(diagram.width)
      expect(node.y).toBeLessThan(diagram.height)
    }
    for (const edge of diagram.edges) expect(edge.labelX).toBeLessThan(diagram.width)
  })

  test('boxes of a layer do not overlap', () => {
    const wide = ['a', 'b', 'c'].map((name): DiagramNode => ({ name, kind: 'plain' }))
    const star = layOut(
      [...wide, { name: 'start', kind: 'initial' }],
      [...wide.map((node) => ({ from: 'start', to: node.name, label: node.name }))],
    )
    const row = star.nodes.filter((node) => node.kind === 'plain')
    expect(row).toHaveLength(3)
    row.slice(1).forEach((node, index) => {
      const left = row[index]
      expect(node.x).toBeGreaterThan((left?.x ?? 0) + (left?.width ?? 0))
    })
  })

  test('is empty without states', () => {
    expect(layOut([], edges)).toMatchObject({ nodes: [], edges: [] })
  })

  test('stays drawable with thousands of states', () => {
    const many = Array.from({ length: 5000 }, (_, index): DiagramNode => {
      return { name: `s${index}`, kind: 'plain' }
    })
    expect(layOut(many, []).nodes.length).toBeLessThan(100)
  })
})
