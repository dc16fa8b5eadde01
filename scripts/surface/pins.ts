import {
  codes,
  engine,
  findingCodes,
  isJsonObject,
  ownToolNames,
  routineToolNames,
} from '@statewright/core/internal'
import { Command } from 'commander'
import { requestedNouns } from '../../packages/server/src/cli/nouns.ts'
import type { Surroundings } from '../../packages/server/src/client-settings/installer.ts'
import { installers } from '../../packages/server/src/client-settings/installers.ts'
import { variableNames } from '../../packages/server/src/config/environment.ts'
import { configJsonSchema } from '../../packages/server/src/config/schema.ts'
import { postgresMigrations } from '../../packages/server/src/store/postgres/migrations.ts'
import { sqliteMigrations } from '../../packages/server/src/store/sqlite/migrations.ts'
import { runningRoutes } from '../reference/routes.ts'
import { namesOf, reports } from './report.ts'

/** What the outside can see, a line for each thing that must not change by accident. */
export async function pinnedText(): Promise<string> {
  const sections: Readonly<Record<string, readonly string[]>> = {
    'package exports': packageExports(),
    'commands and options': await commandNames(),
    'codes of problems: HTTP status, exit code': Object.entries(codes).map(
      ([code, { status, exit }]) => `${code} ${status} ${exit}`,
    ),
    'codes of findings': Object.entries(findingCodes).map((entry) => entry.join(' ')),
    'HTTP routes': (await runningRoutes()).map(({ method, path }) => `${method} ${path}`),
    'MCP tools': [...ownToolNames, ...routineToolNames.map((name) => `${name} at /mcp/process`)],
    'keys of statewright.yaml': propertyPaths(configJsonSchema()),
    'environment variables': variableNames.map((name) => `STATEWRIGHT_${name}`),
    'what install writes into the settings of clients': clientSettings(),
    'steps of the database': [
      `engine of runs ${engine}`,
      ...sqliteMigrations.map(({ id, name }) => `sqlite ${id} ${name}`),
      ...postgresMigrations.map(({ id, name }) => `postgres ${id} ${name}`),
    ],
  }
  const shown = Object.entries(sections).map(([title, lines]) => {
    return `## ${title}\n${[...new Set(lines)].sort().join('\n')}`
  })
  return `${head}\n\n${shown.join('\n\n')}\n`
}

const head = `# What the outside can see. Written by "npm run pins"; a test is red when it moves.
# If you meant it: a line in CHANGELOG.md, and "npm run pins".`

function packageExports(): string[] {
  return Object.values(reports)
    .flat()
    .flatMap((entry) => namesOf(entry).map(({ name }) => `${entry.specifier} ${name}`))
}

async function commandNames(): Promise<string[]> {
  const program = new Command('statewright')
  for (const add of await requestedNouns(undefined)) add(program)
  return program.commands.flatMap((command) => commandLines(command, ''))
}

function commandLines(command: Command, before: string): string[] {
  const name = `${before}${command.name()}`
  const own = [
    ...command.aliases().map((alias) => `${name} = ${before}${alias}`),
    ...command.options.map(({ flags }) => `${name} ${flags}`),
  ]
  const inner = command.commands.flatMap((one) => commandLines(one, `${name} `))
  return [name, ...own, ...inner]
}

/** `gateway.list`: names under `properties`, wherever they stand. */
function propertyPaths(schema: unknown, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => propertyPaths(one, path))
  if (!isJsonObject(schema)) return []
  return Object.entries(schema).flatMap(([key, inner]) => {
    if (key !== 'properties' || !isJsonObject(inner)) return propertyPaths(inner, path)
    return Object.entries(inner).flatMap(([name, value]) => {
      const here = path === '' ? name : `${path}.${name}`
      return [here, ...propertyPaths(value, here)]
    })
  })
}

function clientSettings(): string[] {
  const target: Surroundings = { scope: 'user', project: undefined, home: '~', environment: {} }
  const facts = {
    url: 'http://127.0.0.1:4747',
    token: 'token',
    hookToken: 'hook',
    node: 'node',
    hookFile: 'hook.cjs',
    commandFile: 'statewright.mjs',
    keyFile: 'key',
  }
  return [...installers.values()].flatMap((installer) =>
    installer.files(target, facts).flatMap((file) => {
      const line = `${installer.client} ${file.path}`
      if (file.kind !== 'json') return [line]
      return file.entries.map(({ path, key }) => {
        return [line, ...path, ...(key === null ? [] : [key])].join(' ')
      })
    }),
  )
}
