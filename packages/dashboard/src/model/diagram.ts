/** A state to draw. */
export interface DiagramNode {
  readonly name: string
  readonly kind: 'plain' | 'initial' | 'final'
}

/** An arrow to draw; several events between the same states share one. */
export interface DiagramEdge {
  readonly from: string
  readonly to: string
  readonly label: string
}

export interface PlacedNode extends DiagramNode {
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface PlacedEdge extends DiagramEdge {
  /** Commands of an SVG path. */
  readonly path: string
  readonly labelX: number
  readonly labelY: number
}

export interface Diagram {
  readonly width: number
  readonly height: number
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
}

const nodeHeight = 34
const layerGap = 58
const nodeGap = 40
const margin = 16
const mostShown = 60

export const boxHeight = nodeHeight

/**
 * Places states in layers by their distance from the initial one. It is no beautiful layout, but a
 * stable one: an edit of one state does not shuffle the others.
 */
export function layOut(nodes: readonly DiagramNode[], edges: readonly DiagramEdge[]): Diagram {
  const shown = nodes.slice(0, mostShown)
  const layers = layersOf(shown, edges)
  const rows = layers.map((row) => row.map((node) => ({ node, width: widthOf(node.name) })))
  const rowWidths = rows.map((row) => sum(row.map((box) => box.width)) + nodeGap * (row.length - 1))
  const inner = Math.max(0, ...rowWidths)
  const placed = rows.flatMap((row, layer) => {
    let x = margin + (inner - (rowWidths[layer] ?? 0)) / 2
    return row.map(({ node, width }): PlacedNode => {
      const box = { ...node, x, y: margin + layer * (nodeHeight + layerGap), width }
      x += width + nodeGap
      return box
    })
  })
  const byName = new Map(placed.map((node) => [node.name, node]))
  const arrows = merged(edges).flatMap((edge, index) => route(edge, index, byName))
  // Arrows that lead back run on the right, outside of all boxes.
  const right = Math.max(inner + margin, ...arrows.map((arrow) => arrow.labelX + 60))
  const height = margin * 2 + layers.length * (nodeHeight + layerGap) - layerGap
  return { width: right + margin, height: Math.max(height, 0), nodes: placed, edges: arrows }
}

function layersOf(nodes: readonly DiagramNode[], edges: readonly DiagramEdge[]): DiagramNode[][] {
  const distance = new Map<string, number>()
  const initial = nodes.find((node) => node.kind === 'initial') ?? nodes[0]
  let reached = initial === undefined ? [] : [initial.name]
  for (let layer = 0; reached.length > 0; layer++) {
    for (const name of reached) distance.set(name, layer)
    const next = edges.filter((edge) => reached.includes(edge.from)).map((edge) => edge.to)
    reached = [...new Set(next)].filter((name) => !distance.has(name))
  }
  const last = Math.max(-1, ...distance.values()) + 1
  const layers: DiagramNode[][] = []
  for (const node of nodes) {
    const layer = distance.get(node.name) ?? last
    layers[layer] = [...(layers[layer] ?? []), node]
  }
  return Array.from(layers, (layer) => layer ?? []).filter((layer) => layer.length > 0)
}

function merged(edges: readonly DiagramEdge[]): DiagramEdge[] {
  const byPair = new Map<string, DiagramEdge>()
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to])
    const before = byPair.get(key)
    const label = before === undefined ? edge.label : `${before.label}, ${edge.label}`
    byPair.set(key, { ...edge, label })
  }
  return [...byPair.values()]
}

function route(
  edge: DiagramEdge,
  index: number,
  nodes: ReadonlyMap<string, PlacedNode>,
): PlacedEdge[] {
  const from = nodes.get(edge.from)
  const to = nodes.get(edge.to)
  if (from === undefined || to === undefined) return []
  return [{ ...edge, ...(to.y > from.y ? downwards(from, to) : back(from, to, index)) }]
}

type Course = Pick<PlacedEdge, 'path' | 'labelX' | 'labelY'>

function downwards(from: PlacedNode, to: PlacedNode): Course {
  const [startX, startY] = [from.x + from.width / 2, from.y + nodeHeight]
  const [endX, endY] = [to.x + to.width / 2, to.y]
  const bend = (endY - startY) / 2
  const bends = `${startX} ${startY + bend} ${endX} ${endY - bend}`
  const path = `M${startX} ${startY} C${bends} ${endX} ${endY}`
  return { path, labelX: (startX + endX) / 2, labelY: (startY + endY) / 2 }
}

function back(from: PlacedNode, to: PlacedNode, index: number): Course {
  const [startX, startY] = [from.x + from.width, from.y + nodeHeight / 2]
  const [endX, endY] = [to.x + to.width, to.y + nodeHeight / 2 + 6]
  const reach = Math.max(startX, endX) + 46 + (index % 4) * 14
  const path = `M${startX} ${startY} C${reach} ${startY} ${reach} ${endY} ${endX} ${endY}`
  return { path, labelX: reach - 12, labelY: (startY + endY) / 2 }
}

function widthOf(name: string): number {
  return Math.min(240, Math.max(80, name.length * 8 + 24))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
