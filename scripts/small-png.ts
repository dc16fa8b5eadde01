import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** The same picture with at most 256 colours, at about half of the bytes. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const palette = paletteOf(pixels)
  const nearest = new Map<number, number>()
  const rows = Buffer.alloc(height * (width + 1))
  for (let at = 0; at < pixels.length; at++) {
    const colour = pixels[at] ?? 0
    const index = nearest.get(colour) ?? nearestIn(palette, colour)
    nearest.set(colour, index)
    // Each row begins with its filter: none.
    rows[at + Math.floor(at / width) + 1] = index
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits for each pixel, which are the number of a colour.
  head.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap(channels))
  const body = deflateSync(rows, { level: 9, memLevel: 9 })
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', body),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** As a browser writes them: eight bits for each channel, with or without alpha, not interlaced. */
function decode(png: Buffer) {
  const [width, height, alpha] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6]
  const segments: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') segments.push(data)
  }
  const raw = inflateSync(Buffer.concat(segments))
  const size = alpha ? 4 : 3
  const line = width * size
  const pixels = new Uint32Array(width * height)
  let above = new Uint8Array(line)
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(raw.subarray(y * (line + 1) + 1, (y + 1) * (line + 1)))
    unfilter(raw[y * (line + 1)] ?? 0, row, above, size)
    for (let x = 0; x < width; x++) {
      const [red = 0, green = 0, blue = 0] = row.subarray(x * size, x * size + 3)
      pixels[y * width + x] = (red << 16) | (green << 8) | blue
    }
    above = row
  }
  return { width, height, pixels }
}

function unfilter(filter: number, row: Uint8Array, above: Uint8Array, size: number): void {
  for (let at = 0; at < row.length; at++) {
    const left = row[at - size] ?? 0
    const up = above[at] ?? 0
    const corner = at < size ? 0 : (above[at - size] ?? 0)
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0
    row[at] = (row[at] ?? 0) + guess
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs)
  if ((a ?? 0) <= (b ?? 0) && (a ?? 0) <= (c ?? 0)) return left
  return (b ?? 0) <= (c ?? 0) ? up : corner
}

/** The colours that are seen most; those that hardly differ count as one. */
function paletteOf(pixels: Uint32Array): readonly number[] {
  const exact = new Map<number, number>()
  for (const colour of pixels) exact.set(colour, (exact.get(colour) ?? 0) + 1)
  const common = [...exact].sort((one, other) => other[1] - one[1]).map(([colour]) => colour)
  const palette: number[] = []
  for (const colour of common) {
    if (palette.length === 256) break
    const isNear = palette.some((one) => distance(one, colour) < 60)
    if (!isNear || palette.length < 24) palette.push(colour)
  }
  return palette
}

function nearestIn(palette: readonly number[], colour: number): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [index, one] of palette.entries()) {
    const far = distance(one, colour)
    if (far >= least) continue
    best = index
    least = far
  }
  return best
}

function distance(one: number, other: number): number {
  const [a, b] = [channels(one), channels(other)]
  return a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0)
}

function channels(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255]
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
