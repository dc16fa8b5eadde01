import ELK, { type ElkNode } from 'elkjs'
import { css } from './look.ts'

export interface Shape {
  readonly id: string
  readonly title: string
  /** A line below the title. */
  readonly note?: string
  readonly kind?: 'start' | 'end' | 'any' | 'yes' | 'no' | 'ask'
}

export interface Arrow {
  readonly from: string
  readonly to: string
  readonly label: string
  readonly isDotted?: boolean
}

export interface Picture {
  /** What somebody hears who does not see it. */
  readonly label: string
  readonly shapes: readonly Shape[]
  readonly arrows: readonly Arrow[]
  readonly direction: 'RIGHT' | 'DOWN'
}

const margin = 12
const lineHeight = 17

const options = {
  'elk.algorithm': 'layered',
  'elk.layered.spacing.nodeNodeBetweenLayers': '26',
  'elk.spacing.nodeNode': '24',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '12',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
}

/** An SVG that follows the reader's light or dark setting; the same input gives the same bytes. */
export async function draw({ label, shapes, arrows, direction }: Picture): Promise<string> {
  const placed: ElkNode = await new ELK.default().layout({
    id: 'picture',
    layoutOptions: { ...options, 'elk.direction': direction },
    children: shapes.map((shape) => ({ id: shape.id, ...sizeOf(shape) })),
    edges: arrows.map(({ from, to, label }, index) => ({
      id: `${index}`,
      sources: [from],
      targets: [to],
      labels: label === '' ? [] : [{ text: label, width: widthOf(label) + 8, height: lineHeight }],
    })),
  })
  const width = Math.ceil((placed.width ?? 0) + 2 * margin)
  const height = Math.ceil((placed.height ?? 0) + 2 * margin)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}"`,
    ` height="${height}" role="img" aria-label="${escaped(label)}">`,
    `<style>${css}</style>`,
    `<defs>${arrowHead}</defs>`,
    `<rect class="paper" width="${width}" height="${height}" rx="8"/>`,
    `<g transform="translate(${margin} ${margin})">`,
    ...shapes.map((shape) => drawShape(shape, placed)),
    ...arrows.map((arrow, index) => drawArrow(arrow, index, placed)),
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

const arrowHead =
  '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"' +
  ' orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker>'

/** Letters of the fonts that readers have are about this wide at 13 pixels. */
function widthOf(text: string): number {
  return Math.ceil(text.length * 7.1)
}

function sizeOf({ title, note = '' }: Shape) {
  const width = Math.max(84, widthOf(title) + 28, widthOf(note) * 0.9 + 24)
  return { width: Math.ceil(width), height: note === '' ? 36 : 52 }
}

function drawShape({ id, title, note, kind }: Shape, placed: ElkNode): string {
  const node = placed.children?.find((one) => one.id === id)
  const { x = 0, y = 0, width = 0, height = 0 } = node ?? {}
  const middle = round(x + width / 2)
  const box = { x: round(x), y: round(y), width: round(width), height: round(height) }
  const at = (dy: number) => `x="${middle}" y="${round(y + dy)}"`
  const frame = kind === 'end' ? inner(box) : ''
  const words =
    note === undefined || note === ''
      ? `<text class="title" ${at(height / 2 + 4.5)}>${escaped(title)}</text>`
      : `<text class="title" ${at(21)}>${escaped(title)}</text>` +
        `<text class="note" ${at(39)}>${escaped(note)}</text>`
  return `<g class="shape ${kind ?? ''}">${rect(box)}${frame}${words}</g>`
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

function rect({ x, y, width, height }: Box): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="7"/>`
}

/** A second line around the end, as in other drawings of state machines. */
function inner({ x, y, width, height }: Box): string {
  return rect({ x: x + 3, y: y + 3, width: width - 6, height: height - 6 })
}

function drawArrow({ label, isDotted }: Arrow, index: number, placed: ElkNode): string {
  const edge = placed.edges?.find(({ id }) => id === `${index}`)
  const points = (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) => [
    startPoint,
    ...bendPoints,
    endPoint,
  ])
  const way = points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')
  const line = `<polyline class="way${isDotted === true ? ' dotted' : ''}" points="${way}"/>`
  const [place] = edge?.labels ?? []
  if (place === undefined) return line
  const x = round((place.x ?? 0) + (place.width ?? 0) / 2)
  const y = round((place.y ?? 0) + 12.5)
  return `${line}<text class="label" x="${x}" y="${y}">${escaped(label)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(text: string): string {
  const words: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }
  return text.replaceAll(/[&<"]/g, (character) => words[character] ?? '')
}
