import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'
import { type Followed, followEvents } from './session-kit.ts'

const served = new ServedSessions()
beforeAll(() => served.open())
afterAll(() => served.close())

/** A command that prints, waits until a file is there, and goes on. */
const waitFor = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`

async function running(command: string) {
  const id = await served.start([[{ tool: 'bash', arguments: { command } }], [{ text: 'Done.' }]])
  await served.say(id)
  return id
}

function follow(id: string, isOver: (text: string, all: readonly Followed[]) => boolean) {
  const all: Followed[] = []
  let text = ''
  const from = { url: served.url.replace(/\/$/, ''), token: served.person, id, after: '0' }
  return followEvents(from, (event, data, at) => {
    all.push({ id: at, event, data })
    if (event === 'agent:output_event') text += data.text
    return isOver(text, all)
  }).then((events) => ({ text, outputs: events.filter(isOutput) }))
}

const isOutput = ({ event }: Followed) => event === 'agent:output_event'
const isDone = (_text: string, all: readonly Followed[]) =>
  all.some(({ data }) => data.type === 'tool_lifecycle' && data.status === 'succeeded')

describe('what a command prints', () => {
  test('SE-21: is told while it runs, also to who comes later, and is not stored', async () => {
    const id = await running(`echo one; ${waitFor('go')}; echo two; printf three`)
    const whole = follow(id, isDone)
    expect((await follow(id, (text) => text.includes('one'))).text).toBe('one\n')
    // Somebody who comes again sees the end of it at once.
    expect((await follow(id, (text) => text.includes('one'))).outputs).toMatchObject([
      { id: '', data: { type: 'output', sessionId: id, at: 0, text: 'one\n' } },
    ])
    served.file('go', '')
    // The last line stands before the end of the run, whole or not.
    expect((await whole).text).toBe('one\ntwo\nthree\n')
    await served.until(id, 'ready')
    // Whoever comes when it is over reads the result alone.
    expect((await follow(id, isDone)).outputs).toEqual([])
    expect((await served.session(id)).conversation.at(-2).content).toBe('one\ntwo\nthree')
  })

  test('SE-21: is bounded, and says how much was left out', async () => {
    const id = await running(`seq 1 50000; ${waitFor('seen')}`)
    const { text, outputs } = await follow(id, (all) => all.includes('\n50000\n'))
    expect(outputs.every(({ data }) => String(data.text).length <= 8192)).toBe(true)
    expect(text.length).toBeLessThan(200_000)
    const last = outputs.at(-1)?.data
    const length = Array.from({ length: 50_000 }, (_, at) => `${at + 1}\n`).join('').length
    expect(Number(last?.at) + String(last?.text).length).toBe(length)
    const late = await follow(id, (all) => all.includes('\n50000\n'))
    expect(late.text.length).toBeLessThanOrEqual(8192)
    served.file('seen', '')
    await served.until(id, 'ready')
  })

  test('SE-21: holds no secrets, whole or in pieces, and steers no terminal', async () => {
    const key = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEow', '-----END RSA PRIVATE KEY-----']
    const pieces = [
      ...['printf "password="', 'sleep 0.4', 'echo hunter2hunter2'],
      ...[`echo ${key[0]}`, 'sleep 0.4', `echo ${key[1]}`, 'sleep 0.4', `echo ${key[2]}`],
      ...["printf '\\033[31mred\\033[0m\\n'", 'echo end', waitFor('over')],
    ]
    const id = await running(pieces.join('; '))
    const { text } = await follow(id, (all) => all.includes('end'))
    expect(text).not.toMatch(/hunter2|MIIE|PRIVATE|\u001b/)
    expect(text.split('\n').slice(0, 1)).toEqual([expect.stringMatching(/^password=/)])
    expect(text).toContain('red\nend\n')
    served.file('over', '')
    await served.until(id, 'ready')
  })

  test('SE-21: of a hook is told as well', async () => {
    served.hooks({ name: 'slow', command: ['sh', '-c', `echo checking; ${waitFor('checked')}`] })
    const write = { tool: 'write_file', arguments: { path: 'a.txt', content: 'x' } }
    const id = await served.start([[write], [{ text: 'Done.' }]])
    await served.say(id)
    const { outputs } = await follow(id, (text) => text.includes('checking'))
    expect(outputs[0]?.data.runId).toMatch(/^hookrun_/)
    served.file('checked', '')
    await served.until(id, 'ready')
  })
})
