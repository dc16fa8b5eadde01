import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Draws docs/images/demo.svg, the moving picture at the top of the README, from what the demo
 * really prints. Run it again when the words of the demo change: `node scripts/demo-picture.ts`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const target = join(root, 'docs', 'images', 'demo.svg')

/** The scenes that a reader understands without a word about the rest. */
const scenes = [
  'The agent wants to edit at once.',
  'It tries the shell instead.',
  'So it looks first.',
  'It claims that the tests pass. Nobody has seen them run.',
  'Both branches have joined. Shipping is for a person to decide.',
]

const label =
  'Statewright denies an edit, a shell command and a claim without evidence, and asks a person'
const font = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace'
const width = 920
const lineHeight = 21
const colours: Readonly<Record<string, string>> = {
  deny: '#ff7b72',
  allow: '#7ee787',
  move: '#79c0ff',
  waits: '#e3b341',
  approved: '#7ee787',
}

export function demoPicture(printed: string): string {
  const lines = linesOf(printed)
  const height = lines.length * lineHeight + 74
  const after = delays(lines)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}"`,
    ` height="${height}" role="img" aria-label="${label}">`,
    '<style>',
    `text { font: 14px ${font}; fill: #c9d1d9; white-space: pre }`,
    '.scene { fill: #8b949e }',
    '.line { opacity: 0; animation: show 0.25s forwards }',
    '@keyframes show { to { opacity: 1 } }',
    '@media (prefers-reduced-motion: reduce) { .line { opacity: 1; animation: none } }',
    '</style>',
    `<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map((colour, index) => {
      return `<circle cx="${22 + 20 * index}" cy="22" r="6" fill="${colour}"/>`
    }),
    '<text x="86" y="27" class="scene">statewright demo</text>',
    ...lines.flatMap((line, index) =>
      line === '' ? [] : [lineAt(line, index, after[index] ?? 0)],
    ),
    '</svg>',
    '',
  ].join('\n')
}

function linesOf(printed: string): string[] {
  // Nobody sits at a terminal here; a reader does.
  const text = printed.replace(/approved {2}by .*/, 'approved  by you')
  const all = text.trim().split(/\n\n+/)
  const chosen = scenes.map((title) => {
    const found = all.find((one) => one.startsWith(title))
    if (found === undefined) throw new Error(`The demo does not say "${title}" any more.`)
    return found.split('\n')
  })
  return chosen.flatMap((story, index) => (index === 0 ? story : ['', ...story]))
}

/** Seconds until each line: a scene is read first, then what came of it. */
function delays(lines: readonly string[]): number[] {
  let at = 0.4
  return lines.map((line) => {
    if (line === '') at += 0.9
    else at += line.startsWith(' ') ? 0.5 : 0.2
    return Math.round(at * 10) / 10
  })
}

function lineAt(line: string, index: number, delay: number): string {
  const y = 60 + index * lineHeight
  const verdict = /^ {2}(\w+)/.exec(line)?.[1] ?? ''
  const colour = colours[verdict]
  const attributes = `x="22" y="${y}" class="line${line.startsWith(' ') ? '' : ' scene'}"`
  const style = ` style="animation-delay: ${delay}s"`
  if (colour === undefined) return `<text ${attributes}${style}>${escaped(line)}</text>`
  const word = `<tspan fill="${colour}" font-weight="bold">${verdict}</tspan>`
  const rest = escaped(line.slice(2 + verdict.length))
  return `<text ${attributes}${style}>  ${word}${rest}</text>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** What the demo prints where nobody sits at a terminal, with a home of its own. */
export function playDemo(): string {
  const home = mkdtempSync(join(tmpdir(), 'statewright-picture-'))
  const bin = join(root, 'packages', 'server', 'bin', 'statewright.mjs')
  const environment = { ...process.env, HOME: home, COLUMNS: '100', NO_COLOR: '1' }
  const options = { cwd: home, encoding: 'utf8', env: environment } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'demo', '--fast'], options)
  rmSync(home, { recursive: true, force: true })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(target, demoPicture(playDemo()))
}
