import { isNode, type Parsed, type SyntaxNode, walk } from './syntax.ts'
import { type Complaint, lineOf } from './tree.ts'

/**
 * Words that no name may hold, and what to write instead: metaphors do not say what is inside, and
 * a word with nine senses has none.
 */
const bannedEverywhere = new Map(
  Object.entries({
    parts: 'runtime, options, dependencies or segments',
    place: 'path, offset, position or target',
    places: 'paths, offsets, positions or targets',
    most: 'max',
    told: 'reported',
    said: 'output',
    baggage: 'extras',
    bell: 'waker or signal',
    desk: 'registry',
    shelf: 'table',
    scene: 'context or case',
    voice: 'verdict',
  }),
)

/** The same for types, functions, members and files; a local value may be what was given. */
const bannedAsNoun = new Map(
  Object.entries({
    asked: 'request',
    given: 'input or value',
    held: 'override or policy',
    kept: 'stored or saved',
    wanted: 'requested',
    book: 'registry or cache',
    door: 'endpoint, target or adapter',
  }),
)

/** A participle alone says what happened to a thing, not what it is. */
const bareParticiples = new Set(
  (
    'Answered Begun Bound Changed Costed Counted Dispatched Found Heard Judged Known Made Meant ' +
    'Moved Named Obeyed Opened Prepared Ran Reached Read Saved Seen Sent Shown Started Taken ' +
    'Tried Written'
  ).split(' '),
)

/** Where a banned word is the right one, or does not belong to us. A list that only shrinks. */
export const knownNames: readonly (readonly [path: RegExp, names: RegExp, why: string])[] = [
  [
    /^packages\/core\/src\/(decide|reduce|run)\//,
    /^(place|held|asked|most|AnswerGiven|onAnswerGiven|TaskGiven|onTaskGiven)$/,
    'a word of stored events, snapshots or phrases',
  ],
  [/^packages\/core\/src\/policy\//, /^most$/, 'a word of stored phrases'],
  [
    /^packages\/core\/src\/(view|library)\//,
    /^(place|AnswerGiven|TaskGiven)$/,
    'a word of stored events',
  ],
  [/^packages\/core\/src\/shell\//, /parts$/i, 'parts of a word, as its parser says'],
  [/^packages\/core\/src\/shell\/command\.ts$/, /^(Told|Shown)$/, 'stands in the surface report'],
  [/^packages\/core\/src\/wire\//, /^(FeedPlace|HeldMode|KeptText|Sent)$/, 'a public name'],
  [/\/orchestrator\/harness\/|harness\.(test\.)?ts$|fake-gemini/, /parts/i, 'parts of a message'],
  [/session-claude-code\.test|model-harness/, /^parts$/, 'parts of a message'],
  [/readers\/misc\.ts$|build-dashboard/, /InPlace$/, 'in place'],
  [/^packages\/server\/src\/store\//, /^(event_)?place$/, 'a column'],
  [/orchestrator\/broker\/|routes\/sessions/, /^place$/, 'a column'],
  [/^test\/(doors|clients|sdk|tidy)/, /door/i, 'the way in, as the docs call it'],
  [/^test\//, /^(wanted|held|kept|given|asked)/, 'what the case was given'],
]

/** Names that a file declares, and its own, which hold a banned word. */
export function bannedNames(file: Parsed, known = knownNames): Complaint[] {
  const excused = known.filter(([path]) => path.test(file.path)).map(([, names]) => names)
  const found: Complaint[] = []
  walk(file.program, (node, above) => {
    const name = declaredBy(node, above)
    if (name === undefined || excused.some((names) => names.test(name))) return
    const complaint = isTypeIn(file, above)
      ? (complaintOnType(name) ?? complaintOn(name, false))
      : complaintOn(name, isLocal(node, above))
    if (complaint === undefined) return
    found.push({ path: file.path, line: lineOf(file.text, node.start), message: complaint })
  })
  const own = /([^/]+?)(\.test(-kit)?)?\.\w+$/.exec(file.path)?.[1] ?? ''
  const complaint = complaintOn(own, false)
  if (complaint !== undefined && !excused.some((names) => names.test(own))) {
    found.push({ path: file.path, line: 1, message: complaint })
  }
  return found
}

/** In the packages; a test speaks of what happened in its own case. */
function isTypeIn({ path }: Parsed, above: readonly SyntaxNode[]): boolean {
  return path.startsWith('packages/') && typeNames.has(above.at(-1)?.type ?? '')
}

const typeNames = new Set(['ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration'])

function complaintOnType(name: string): string | undefined {
  return bareParticiples.has(name) ? `calls a type ${name}: say what it is` : undefined
}

function complaintOn(name: string, isLocalName: boolean): string | undefined {
  for (const word of wordsOf(name)) {
    const better = bannedEverywhere.get(word) ?? (isLocalName ? undefined : bannedAsNoun.get(word))
    if (better !== undefined) return `calls something ${name}: say ${better}`
  }
  return undefined
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_-]+/)
}

const named = new Set([
  'VariableDeclarator',
  'FunctionDeclaration',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
])
const members = new Set(['TSPropertySignature', 'TSMethodSignature', 'PropertyDefinition'])

/** The name that a node gives to something; keys of plain objects belong to their types. */
function declaredBy(node: SyntaxNode, above: readonly SyntaxNode[]): string | undefined {
  const outer = above.at(-1)
  if (node.type !== 'Identifier' && node.type !== 'PrivateIdentifier') return undefined
  if (outer === undefined || typeof node.name !== 'string') return undefined
  if (named.has(outer.type) && outer.id === node) return node.name
  if (members.has(outer.type) || outer.type === 'MethodDefinition') {
    return outer.key === node ? node.name : undefined
  }
  return isParameter(node, outer) || isBound(outer, node) ? node.name : undefined
}

function isParameter(node: SyntaxNode, outer: SyntaxNode): boolean {
  return Array.isArray(outer.params) && outer.params.includes(node)
}

/** `{ held: lock }` binds the name behind the colon; `{ held }` takes the name that is there. */
function isBound(outer: SyntaxNode, node: SyntaxNode): boolean {
  if (outer.type === 'AssignmentPattern') return outer.left === node
  return outer.type === 'Property' && outer.value === node && outer.shorthand !== true
}

function isLocal(node: SyntaxNode, above: readonly SyntaxNode[]): boolean {
  const outer = above.at(-1)
  if (!isNode(outer) || members.has(outer.type) || outer.type === 'MethodDefinition') return false
  if (named.has(outer.type) && outer.id === node && outer.type !== 'VariableDeclarator')
    return false
  return above.some((one) => /Function/.test(one.type)) || isParameter(node, outer)
}
