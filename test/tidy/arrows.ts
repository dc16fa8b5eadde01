import { importedNames, importsOf, type Parsed, resolveImport } from './syntax.ts'
import { type Complaint, isTest } from './tree.ts'

/** What a package shows to others; its own rooms import each other. */
const frontDoors = ['index.ts', 'internal.ts']

/**
 * Who may import whom. A room is a folder directly under a package's `src`; it may always import
 * itself. A room that is not in the table may be imported by nobody and imports nothing, so a new
 * folder has to be entered here, and ARCHITECTURE.md has to say why.
 */
export type Arrows = Readonly<Record<string, readonly string[]>>

export interface House {
  readonly arrows: Arrows
  /** Packages from outside that a room may import, besides its row in `arrows`. */
  readonly outside: Readonly<Record<string, readonly string[]>>
  /** Files by which other rooms enter a room; its tests need no entrance. */
  readonly entrances: Readonly<Record<string, readonly string[]>>
  /** Files beside the rooms that show what lies in any of them. */
  readonly fronts: readonly string[]
  /** Rooms whose folders are rooms of their own, with arrows and entrances. */
  readonly divided?: readonly string[]
  /** Rooms that are entered by more files than others: by how many, and why. */
  readonly wide: Readonly<Record<string, readonly [files: number, why: string]>>
  /** Names that one room of a package alone may import, from wherever they come. */
  readonly reserved?: Readonly<Record<string, string>>
  /** The workspaces by the name they are imported under. */
  readonly packages: Readonly<Record<string, string>>
}

/** Complaints on imports that run against the arrows. */
export function againstArrows(files: readonly Parsed[], house: House): Complaint[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap(({ specifier, line }) => {
      const message = fault(file.path, specifier, house)
      return message === undefined ? [] : [{ path: file.path, line, message }]
    }),
  )
}

function fault(from: string, specifier: string, house: House): string | undefined {
  const home = packageOf(from)
  if (home === undefined) return undefined
  const target = resolveImport(from, specifier)
  if (target === undefined) return outsideFault(from, home, specifier, house)
  if (frontDoors.some((file) => target === `packages/${home}/src/${file}`)) {
    return `imports the front door of its own package (${specifier})`
  }
  // What builds servers for tests stands beside the sources of its package, and is none of them.
  if (isTest(from) && target.startsWith(`packages/${home}/testing/`)) return undefined
  if (packageOf(target) !== home) return `leaves its package by a path (${specifier})`
  // A test may build its world from any room of its package.
  if (isTest(from)) return undefined
  const [room, wanted] = [roomOf(from, house), roomOf(target, house)]
  if (room === wanted) return undefined
  if (house.arrows[room]?.includes(wanted) !== true) {
    return `${room} may not import ${wanted} (${specifier})`
  }
  const isFree = house.fronts.includes(room) || Object.hasOwn(house.wide, wanted)
  const file = fileIn(target, wanted)
  const isBesideRooms = file === ''
  if (isFree || isBesideRooms) return undefined
  if (house.entrances[wanted]?.includes(file) === true) return undefined
  return `${wanted} is not entered by ${file}`
}

/** Rooms that more files lead into than may. */
export function tooWide(files: readonly Parsed[], house: House, max: number): string[] {
  const entered = new Map<string, Set<string>>()
  for (const file of files) {
    if (packageOf(file.path) === undefined || isTest(file.path)) continue
    if (house.fronts.includes(roomOf(file.path, house))) continue
    for (const { specifier } of importsOf(file)) {
      const target = resolveImport(file.path, specifier)
      if (target === undefined || packageOf(target) === undefined) continue
      const room = roomOf(target, house)
      if (room === roomOf(file.path, house)) continue
      const files = entered.get(room) ?? new Set()
      entered.set(room, files.add(target))
    }
  }
  return [...entered].flatMap(([room, { size }]) => {
    const allowed = house.wide[room]?.[0] ?? max
    return size > allowed ? [`${room} is entered by ${size} files, not ${allowed}`] : []
  })
}

/** Complaints on names that another room keeps for itself. */
export function takenNames(files: readonly Parsed[], house: House): Complaint[] {
  return files
    .filter(({ path }) => packageOf(path) !== undefined && !isTest(path))
    .flatMap((file) =>
      importedNames(file).flatMap(({ name, line }) => {
        const keeper = house.reserved?.[name]
        const home = packageOf(file.path)
        const isKept = keeper?.startsWith(`${home}/`) === true
        if (!isKept || roomOf(file.path, house) === keeper) return []
        return [{ path: file.path, line, message: `only ${keeper} may import ${name}` }]
      }),
    )
}

function outsideFault(
  from: string,
  home: string,
  specifier: string,
  house: House,
): string | undefined {
  const name = packageName(specifier)
  const workspace = house.packages[name]
  if (workspace === home) return `imports its own package by name (${specifier})`
  const isWorkspace = workspace !== undefined
  if (isTest(from) && !isWorkspace) return undefined
  const allowed = [...(house.outside[roomOf(from, house)] ?? []), ...(house.outside[home] ?? [])]
  if (allowed.includes(name)) return undefined
  return `${roomOf(from, house)} may not import ${name}`
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  const segments = specifier.split('/')
  return segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\/src\//.exec(path)?.[1]
}

/** The path of a file inside its room; empty for a file that is a room. */
function fileIn(path: string, room: string): string {
  return path.replace('/src/', '/').slice(`packages/${room}/`.length)
}

/** `packages/core/src/run/step.ts` lies in the room `core/run`; a file beside the rooms is one. */
export function roomOf(path: string, { divided = [] }: Pick<House, 'divided'> = {}): string {
  const [, home, , first = '', ...rest] = path.split('/')
  const room = `${home}/${rest.length > 0 ? first : first.replace(/(\.test)?\.tsx?$/, '')}`
  return rest.length > 1 && divided.includes(room) ? `${room}/${rest[0]}` : room
}
