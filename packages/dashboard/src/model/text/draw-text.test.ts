import { parseDefinition } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import {
  addFork,
  addState,
  connect,
  freeName,
  reconnect,
  removeState,
  removeWay,
  renameEvent,
  renameState,
} from './draw-text.ts'

const house = `# Rules of the house.
id: house
initial: looking # here it begins
states:
  looking:
    # Nothing is changed here.
    allowed_tools: [Read] # and only this
    safe_next: over
    on:
      SEEN: working # on we go
      SPLIT:
        fork:
          branches:
            one: { initial: working, terminal: over }
            two: { initial: checking, terminal: 'over' }
          on_complete: over
          on_fail: working
  working:
    allowed_tools: [Read, Edit]
    on:
      DONE:
        - { target: checking, guard: sure } # the careful way
        - target: over
      CALL: { invoke: other, on_complete: "checking" }
  checking:
    allowed_tools: [Read]
    on: { BACK: $return }
  over: { type: final }
guards:
  sure: { field: sure, op: exists }
interrupts:
  sql: { trigger: { file_pattern: "*.sql" }, target: checking }
`

describe('drawing in the picture', () => {
  test('a state gets another name wherever it stands, and every comment stays', () => {
    const renamed = renameState(house, 'checking', 'proving')
    expect(renamed).toBe(house.replaceAll('checking', 'proving'))
    expect(renameState(house, 'looking', 'the start')).toBe(
      house.replaceAll('looking', 'the start'),
    )
    expect(renameState(house, 'over', 'yes')).toContain('initial: working, terminal: yes }')
    expect(renameState(house, 'looking', 'working')).toBe(null)
    expect(renameState('states: [', 'a', 'b')).toBe(null)
  })

  test('in JSON as well, in its quotes', () => {
    const json =
      '{ "id": "x", "initial": "a",\n "states": { "a": { "on": { "GO": "b" } }, "b": {} } }'
    expect(renameState(json, 'b', 'c d')).toBe(json.replaceAll('"b"', '"c d"'))
    expect(connect(json, { from: 'b', to: 'a' })?.text).toContain('"NEXT": "a"')
  })

  test('a new state and a way to it are written behind the others', () => {
    const added = addState(house, 'workflow', 'shipping') ?? ''
    expect(added).toBe(
      house.replace(
        '  over: { type: final }\n',
        '  over: { type: final }\n  shipping:\n    allowed_tools: [Read]\n',
      ),
    )
    const joined = connect(added, { from: 'working', to: 'shipping' })
    expect(joined?.event).toBe('NEXT')
    expect(joined?.text).toContain('on_complete: "checking" }\n      NEXT: shipping\n')
    expect(connect(joined?.text ?? '', { from: 'working', to: 'over' })?.event).toBe('DONE_2')
    expect(addState(house, 'workflow', 'over')).toBe(null)
    expect(freeName('state', ['state', 'state_2'])).toBe('state_3')
  })

  test('a way leads elsewhere, and what else is written about it stays', () => {
    const seen = { from: 'looking', to: 'working', event: 'SEEN', kind: 'event' } as const
    expect(reconnect(house, seen, 'over')).toBe(house.replace('SEEN: working #', 'SEEN: over #'))
    const careful = { from: 'working', to: 'checking', event: 'DONE', kind: 'event' } as const
    expect(reconnect(house, careful, 'looking')).toBe(
      house.replace('{ target: checking, guard', '{ target: looking, guard'),
    )
    const branch = { from: 'looking', to: 'checking', event: 'SPLIT', kind: 'fork' } as const
    expect(reconnect(house, branch, 'working')).toBe(
      house.replace('two: { initial: checking', 'two: { initial: working'),
    )
    const join = { from: 'over', to: 'over', event: 'SPLIT', kind: 'join' } as const
    expect(reconnect(house, join, 'checking')).toBe(
      house.replace('on_complete: over', 'on_complete: checking'),
    )
    const interrupt = { from: '✱', to: 'checking', event: 'sql', kind: 'interrupt' } as const
    expect(reconnect(house, interrupt, 'working')).toBe(
      house.replace('}, target: checking }', '}, target: working }'),
    )
    const other = { from: 'looking', to: 'over', event: '', kind: 'safe_next' } as const
    expect(reconnect(house, other, 'working')).toBe(
      house.replace('safe_next: over', 'safe_next: working'),
    )
    expect(renameEvent(house, seen, 'FOUND')).toBe(house.replace('SEEN:', 'FOUND:'))
    expect(renameEvent(house, seen, 'SPLIT')).toBe(null)
  })

  test('a way is taken out alone', () => {
    const seen = { from: 'looking', to: 'working', event: 'SEEN', kind: 'event' } as const
    expect(removeWay(house, seen)).toBe(house.replace('      SEEN: working # on we go\n', ''))
    const careful = { from: 'working', to: 'checking', event: 'DONE', kind: 'event' } as const
    const left = parseDefinition(removeWay(house, careful) ?? '').definition
    expect(left).toMatchObject({ states: { working: { on: { DONE: [{ target: 'over' }] } } } })
    const back = { from: 'checking', to: '✱', event: 'BACK', kind: 'event' } as const
    expect(removeWay(house, back)).not.toContain('BACK')
  })

  test('a state goes with every way that leads to it', () => {
    const edited = removeState(house, 'checking') ?? ''
    expect(edited).not.toContain('checking')
    expect(edited).toContain('# Nothing is changed here.')
    expect(edited).not.toContain('SPLIT')
    expect(edited).not.toContain('interrupts')
    expect(edited).toContain('SEEN: working # on we go')
    const headless = removeState(house, 'looking')
    expect(headless).toContain('initial: working # here it begins')
    expect(removeState(house, 'nowhere')).toBe(null)
    expect(removeState('states: { a: {} }', 'a')).toBe(null)
  })

  test('a fork is written with its branches', () => {
    const branches = [
      { name: 'one', initial: 'working', terminal: 'over' },
      { name: 'two', initial: 'checking', terminal: 'over' },
    ]
    const edited = addFork(house, 'looking', {
      event: 'BOTH',
      branches,
      join: 'any',
      onComplete: 'over',
    })
    expect(parseDefinition(edited ?? '').definition).toMatchObject({
      states: {
        looking: {
          on: {
            BOTH: {
              fork: {
                branches: { one: { initial: 'working' }, two: { terminal: 'over' } },
                join: 'any',
                on_complete: 'over',
              },
            },
          },
        },
      },
    })
  })
})
