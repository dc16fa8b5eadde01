import { boxHeight, type Diagram, type PlacedEdge, type PlacedNode } from '../model/diagram.ts'
import { svgElement } from './element.ts'

/** The diagram as SVG, with the states where the run stands marked. */
export function drawDiagram(diagram: Diagram, current: ReadonlySet<string>): SVGSVGElement {
  return svgElement(
    'svg',
    {
      viewBox: `0 0 ${diagram.width} ${diagram.height}`,
      width: String(diagram.width),
      role: 'img',
      'aria-label': 'States and transitions',
    },
    arrowHead(),
    ...diagram.edges.map(drawEdge),
    ...diagram.nodes.map((node) => drawNode(node, current.has(node.name))),
    // Labels come last: a box drawn later would hide them.
    ...diagram.edges.map(drawLabel),
  )
}

function arrowHead(): SVGDefsElement {
  const shape = svgElement('path', { d: 'M0 0L8 4L0 8z', class: 'arrow-head' })
  const marker = svgElement(
    'marker',
    { id: 'arrow', markerWidth: '8', markerHeight: '8', refX: '7', refY: '4', orient: 'auto' },
    shape,
  )
  return svgElement('defs', {}, marker)
}

function drawEdge(edge: PlacedEdge): SVGPathElement {
  return svgElement('path', { d: edge.path, class: 'edge', 'marker-end': 'url(#arrow)' })
}

function drawLabel(edge: PlacedEdge): SVGTextElement {
  const place = { x: String(edge.labelX), y: String(edge.labelY), class: 'edge-label' }
  return svgElement('text', place, cut(edge.label, 40))
}

function drawNode(node: PlacedNode, isCurrent: boolean): SVGGElement {
  const box = svgElement('rect', {
    x: String(node.x),
    y: String(node.y),
    width: String(node.width),
    height: String(boxHeight),
    rx: '6',
  })
  const name = svgElement(
    'text',
    { x: String(node.x + node.width / 2), y: String(node.y + boxHeight / 2), class: 'node-name' },
    cut(isCurrent ? `▸ ${node.name}` : node.name, 28),
  )
  const title = svgElement('title', {}, isCurrent ? `${node.name} (current)` : node.name)
  const marks = `node ${node.kind}${isCurrent ? ' current' : ''}`
  return svgElement('g', { class: marks }, title, box, name)
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}
