import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import type { ChildResult } from '../../packages/server/testing/child.ts'
import type { DrivenClient, DrivenModel, Turn } from './driven-client.ts'
import { type GuardedHome, openGuardedHome, planThenWrite, variables } from './guarded-home.ts'

export const limits = { timeout: 180_000 }
export const done: readonly { readonly text: string }[] = [{ text: 'Done.' }]

/** A client in a home of its own, for the tests of one `describe`. */
export interface Driven<Reply> {
  guarded(): GuardedHome
  inWork(name: string): string
  inHome(path: string): string
  write(name: string): Reply
  /** Installs us for the user, as a person does. */
  install(): Promise<void>
  play(script: readonly Turn<Reply>[]): Promise<ChildResult>
  /** Plays calls in the state that allows everything. */
  playOpen(...calls: readonly Reply[]): Promise<ChildResult>
  /** The model of the last play. */
  model(): DrivenModel
  received(request: number): string
}

export function driveClient<Reply>(
  client: DrivenClient<Reply>,
  config: object = {},
): Driven<Reply> {
  let home: GuardedHome | undefined
  let last: DrivenModel | undefined
  beforeAll(async () => {
    home = await openGuardedHome(client.id, planThenWrite, config)
    client.prepare(home.home)
  }, limits.timeout)
  afterAll(() => home?.close())

  const guarded = () => there(home)
  const model = () => there(last)
  const play: Driven<Reply>['play'] = async (script) => {
    const started = await client.startModel(script)
    onTestFinished(() => started.close())
    last = started
    return client.run({ ...guarded(), modelUrl: started.url, environment: variables })
  }
  return {
    guarded,
    inWork: (name) => join(guarded().work, name),
    inHome: (path) => join(guarded().home, path),
    write: (name) => client.write(guarded().work, name),
    async install() {
      const { code, stderr } = await guarded().command(['install', client.id, '--user', '--yes'])
      expect(`${code}\n${stderr}`).toMatch(/^0\n/)
    },
    play,
    playOpen: (...calls) => {
      const opening = [client.transition('READY'), client.transition('OPEN')]
      return play([...[...opening, ...calls].map((call): Turn<Reply> => [call]), done])
    },
    model,
    received: (request) => model().received(request),
  }
}

function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('nothing was started yet')
  return value
}
