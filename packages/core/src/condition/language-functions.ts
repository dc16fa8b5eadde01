import type { ConditionFunction } from './functions.ts'

type Described = Omit<ConditionFunction, 'run'>

/** Functions of the language that may be used. `matches` goes back and forth without bound. */
export const languageFunctions = {
  size: { signature: 'size(dyn): int', says: 'How many characters, items or keys it has.' },
  has: { signature: 'has(dyn): bool', says: 'Whether a key exists: has(args.to).' },
  int: { signature: 'int(dyn): int', says: 'The value as a whole number.' },
  double: { signature: 'double(dyn): double', says: 'The value as a number.' },
  string: { signature: 'string(dyn): string', says: 'The value as text.' },
  bool: { signature: 'bool(dyn): bool', says: 'The value as true or false.' },
  dyn: { signature: 'dyn(dyn): dyn', says: 'The value, without a type known in advance.' },
  type: { signature: 'type(dyn): type', says: 'Its type: type(args.to) == list.' },
  timestamp: { signature: 'timestamp(string): timestamp', says: 'A time: 2027-01-31T08:00:00Z.' },
  duration: { signature: 'duration(string): duration', says: 'A span of time, such as 10m.' },
  startsWith: {
    signature: 'string.startsWith(string): bool',
    says: 'Whether it begins with this text.',
  },
  endsWith: { signature: 'string.endsWith(string): bool', says: 'Whether it ends with this text.' },
  contains: { signature: 'string.contains(string): bool', says: 'Whether it contains this text.' },
  lowerAscii: {
    signature: 'string.lowerAscii(): string',
    says: 'The text with A to Z in lower case.',
  },
  upperAscii: {
    signature: 'string.upperAscii(): string',
    says: 'The text with a to z in upper case.',
  },
  trim: {
    signature: 'string.trim(): string',
    says: 'The text without spaces at its beginning and end.',
  },
  getFullYear: { signature: 'timestamp.getFullYear(): int', says: 'Its year, in UTC.' },
  getMonth: { signature: 'timestamp.getMonth(): int', says: 'Its month, from 0.' },
  getDate: { signature: 'timestamp.getDate(): int', says: 'Its day of the month, from 1.' },
  getDayOfMonth: {
    signature: 'timestamp.getDayOfMonth(): int',
    says: 'Its day of the month, from 0.',
  },
  getDayOfWeek: {
    signature: 'timestamp.getDayOfWeek(): int',
    says: 'Its day of the week, from 0 for Sunday.',
  },
  getDayOfYear: {
    signature: 'timestamp.getDayOfYear(): int',
    says: 'Its day of the year, from 0.',
  },
  getHours: { signature: 'timestamp.getHours(): int', says: 'Its hours, in UTC.' },
  getMinutes: { signature: 'timestamp.getMinutes(): int', says: 'Its minutes.' },
  getSeconds: { signature: 'timestamp.getSeconds(): int', says: 'Its seconds.' },
  getMilliseconds: { signature: 'timestamp.getMilliseconds(): int', says: 'Its milliseconds.' },
} as const satisfies Readonly<Record<string, Described>>

/** Macros: their first argument names a variable that holds inside of them alone. */
export const macroFunctions = {
  all: {
    signature: 'list.all(x, bool): bool',
    says: 'Whether the condition is true for every item.',
  },
  exists: {
    signature: 'list.exists(x, bool): bool',
    says: 'Whether the condition is true for at least one item.',
  },
  exists_one: {
    signature: 'list.exists_one(x, bool): bool',
    says: 'Whether the condition is true for exactly one item.',
  },
  filter: {
    signature: 'list.filter(x, bool): list',
    says: 'The items for which the condition is true.',
  },
  map: { signature: 'list.map(x, dyn): list', says: 'The value computed from each item.' },
} as const satisfies Readonly<Record<string, Described>>
