export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Viewport extends Point {
  readonly zoom: number
}

/** What a diagram is drawn in. */
export interface Frame extends Size {
  /** How much stays free above it, such as for the buttons of a state in the first row. */
  readonly top: number
}

/** The smallest text of a diagram has 12 px; on screen none is smaller than 11. */
export const minZoom = 11 / 12
const maxFitZoom = 1.2
export const margin = 20

/** How large the whole can be shown in a frame. */
function fitZoom(size: Size, frame: Frame): number {
  const width = (frame.width - 2 * margin) / size.width
  const height = (frame.height - frame.top - margin) / size.height
  return Math.min(maxFitZoom, width, height)
}

/** Whether all of it can be seen at once, and read. */
export function isWhole(size: Size, frame: Frame): boolean {
  return fitZoom(size, frame) >= minZoom
}

/** The whole, where it can be read; else the part around the focus, without empty margins. */
export function viewOf(size: Size, frame: Frame, focus: Point & Size): Viewport {
  const zoom = Math.max(minZoom, fitZoom(size, frame))
  return {
    x: along(size.width * zoom, frame.width, (focus.x + focus.width / 2) * zoom, margin),
    y: along(size.height * zoom, frame.height, (focus.y + focus.height / 2) * zoom, frame.top),
    zoom,
  }
}

function along(size: number, frame: number, focus: number, start: number): number {
  if (size + start + margin <= frame) return start + (frame - size - start - margin) / 2
  return Math.min(start, Math.max(frame - size - margin, frame / 2 - focus))
}

/** Whether a part stands within what is shown, and can be read. */
export function isSeen({ x, y, zoom }: Viewport, frame: Size, part: Point & Size): boolean {
  const left = part.x * zoom + x
  const top = part.y * zoom + y
  const isInside =
    left >= 0 &&
    top >= 0 &&
    left + part.width * zoom <= frame.width &&
    top + part.height * zoom <= frame.height
  return isInside && zoom >= minZoom - 0.001
}

/** The smallest box around some. */
export function boxAround(boxes: readonly (Point & Size)[]): (Point & Size) | undefined {
  if (boxes.length === 0) return undefined
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}

const corners = ['bottom-right', 'bottom-left', 'top-right', 'top-left'] as const
export type Corner = (typeof corners)[number]

/** The first corner of a frame where something can stand without covering any of these boxes. */
export function freeCorner(
  { x, y, zoom }: Viewport,
  frame: Size,
  cover: Size,
  boxes: readonly (Point & Size)[],
): Corner | undefined {
  return corners.find((corner) => {
    const left = corner.endsWith('left') ? 0 : frame.width - cover.width
    const top = corner.startsWith('top') ? 0 : frame.height - cover.height
    return !boxes.some(
      (box) =>
        box.x * zoom + x < left + cover.width &&
        (box.x + box.width) * zoom + x > left &&
        box.y * zoom + y < top + cover.height &&
        (box.y + box.height) * zoom + y > top,
    )
  })
}
