import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dataFolder, projectRoot, realOf } from '../home/folders.ts'
import { parseConfig } from './read-file.ts'
import { ownPaths, resolveConfig } from './resolve.ts'
import { configJsonSchema, plannedKeys } from './schema.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-config-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const project = join(folder, 'project')
const home = join(folder, 'home')
const inner = join(project, 'src', 'deep')
const environment = { HOME: home }
const projectFile = join(project, 'statewright.yaml')
const userFile = join(home, '.config', 'statewright', 'config.yaml')
mkdirSync(join(project, '.git'), { recursive: true })
mkdirSync(inner, { recursive: true })
mkdirSync(join(home, '.config', 'statewright'), { recursive: true })

beforeEach(() => {
  rmSync(projectFile, { force: true })
  rmSync(userFile, { force: true })
})

function resolved(more: Record<string, string> = {}, flags = {}) {
  const found = resolveConfig({ folder: inner, environment: { ...environment, ...more }, flags })
  if (!found.ok) throw new Error(`${found.error.message} ${found.error.where}`)
  return found.value
}

describe('where the configuration comes from', () => {
  test('flags come before environment, project, user and defaults, key by key', () => {
    writeFileSync(userFile, 'mode: observe\nworkflow: users\nautostart: off\ndurability: power\n')
    writeFileSync(projectFile, 'workflow: projects\nautostart: prompt\ndurability: crash\n')
    const { settings, origins } = resolved(
      { STATEWRIGHT_AUTOSTART: 'session', STATEWRIGHT_DURABILITY: 'power' },
      { durability: 'crash' },
    )
    expect(settings).toMatchObject({
      mode: 'observe',
      workflow: 'projects',
      autostart: 'session',
      durability: 'crash',
      strict: false,
    })
    expect(origins).toMatchObject({
      mode: userFile,
      workflow: projectFile,
      autostart: 'the environment',
      durability: 'the command line',
      strict: 'default',
    })
  })

  test('a file of comments alone says nothing', () => {
    expect(parseConfig('# strict: true\n\n', 'x')).toEqual({ ok: true, value: {} })
  })
})

describe('a restriction never vanishes silently', () => {
  test('an unknown key is refused with its place and the nearest name', () => {
    writeFileSync(projectFile, 'workflow: a\nstirct: true\n')
    const found = resolveConfig({ folder: inner, environment, flags: {} })
    expect(found).toMatchObject({
      ok: false,
      error: {
        code: 'config_invalid',
        message: 'Unknown field "stirct". Did you mean "strict"?',
        where: `${projectFile}:2:1`,
      },
    })
  })

  test.each([
    [
      { url: 'https://a.test/mcp' },
      ':2:3',
      '"type" is missing: it must be one of "http", "streamable-http".',
    ],
    [5, ':2:6', '"a" has none of the forms that are allowed here.'],
  ])(
    'a server behind the gateway is explained by the form that was meant: %j',
    (entry, at, message) => {
      const found = parseConfig(`upstreams:\n  a: ${JSON.stringify(entry)}\n`, 'x')
      expect(found).toMatchObject({ ok: false, error: { message, where: `x${at}` } })
    },
  )

  test.each(Object.keys(plannedKeys))('%s is refused as not supported yet', (key) => {
    const found = parseConfig(`${key}: {}\n`, 'statewright.yaml')
    expect(found.ok ? '' : found.error.message).toContain(`"${key}" is not supported yet`)
    expect(JSON.stringify(configJsonSchema())).not.toContain(`"${key}"`)
  })

  test.each([
    ['STATEWRIGHT_STIRCT', '1', 'STATEWRIGHT_STRICT'],
    ['STATEWRIGHT_SANDBOX', 'maybe', 'cannot be used'],
    ['STATEWRIGHT_STRICT', 'perhaps', 'STATEWRIGHT_STRICT'],
    ['STATEWRIGHT_MODE', 'off', 'STATEWRIGHT_MODE'],
  ])('%s=%s is refused', (variable, text, hint) => {
    const found = resolveConfig({
      folder: inner,
      environment: { ...environment, [variable]: text },
      flags: {},
    })
    expect(found.ok).toBe(false)
    expect(JSON.stringify(found)).toContain(hint)
  })

  test('a variable that is like none of ours is told, since others may have set it', () => {
    expect(resolved({ STATEWRIGHT_BANANA: '1' }).unknown).toEqual(['STATEWRIGHT_BANANA'])
  })

  test('a file that cannot be read stops everything', () => {
    mkdirSync(projectFile)
    const found = resolveConfig({ folder: inner, environment, flags: {} })
    rmSync(projectFile, { recursive: true })
    expect(found).toMatchObject({ ok: false, error: { code: 'config_invalid' } })
  })
})

describe('places', () => {
  test('the project is the git root, else the folder itself', () => {
    expect(projectRoot(inner)).toBe(project)
    expect(projectRoot(home)).toBe(home)
  })

  test('data lie in the state directory, apart for each project, never in the workspace', () => {
    const [mine, other] = [project, `${project}2`].map((one) =>
      dataFolder(one, environment, undefined),
    )
    expect(mine).toMatch(new RegExp(`^${home}/\\.local/state/statewright/project-[0-9a-f]{12}$`))
    expect(other).not.toBe(mine)
    expect(dataFolder(project, { ...environment, XDG_STATE_HOME: '/s' }, undefined)).toMatch(
      /^\/s\/statewright\//,
    )
    expect(dataFolder(project, { ...environment, XDG_STATE_HOME: 'rel' }, undefined)).toMatch(home)
    expect(dataFolder(project, { ...environment, STATEWRIGHT_DATA: '/d' }, undefined)).toBe('/d')
    expect(dataFolder(project, { ...environment, STATEWRIGHT_DATA: '/d' }, '/flag')).toBe('/flag')
  })

  test('what is ours is protected under its real name', () => {
    const link = join(folder, 'link')
    symlinkSync(home, link)
    const { protectedPaths: kept, files } = ownPaths({ folder: inner, environment: { HOME: link } })
    expect(kept).toContain(join(home, '.local', 'state', 'statewright'))
    expect(kept).toContain(join(home, '.config', 'statewright'))
    expect(files).toEqual([projectFile])
    expect(realOf(join(link, 'not', 'there'))).toBe(join(home, 'not', 'there'))
  })
})
