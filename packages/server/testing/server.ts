import { type Auth, createAuth, testPersonMark } from '../src/http/auth/auth.ts'
import type { OidcSettings } from '../src/http/auth/oidc/settings.ts'
import { createServer } from '../src/http/create-server.ts'
import { FeedHub } from '../src/http/feed/feed-hub.ts'
import { ownNames } from '../src/http/own-names.ts'
import { pageFile } from '../src/http/page-files.ts'
import type { Route, ServerDependencies } from '../src/http/pipeline/route.ts'
import { replayRoutes } from '../src/http/routes/replays.ts'
import { routeTable } from '../src/http/routes/route-table.ts'
import { createLog } from '../src/observe/logger.ts'
import { Metrics } from '../src/observe/metrics.ts'
import { Replays } from '../src/replays/replays.ts'
import type { Store, TokenKind } from '../src/store/store.ts'
import { openRuntime, type RuntimeOptions } from './runtime.ts'

export const host = '127.0.0.1:4747'
export const origin = `http://${host}`

export interface ServerAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any
}

export interface Ask {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

/** A whole server in memory, on a real store in a folder of its own. */
export interface TestServer {
  readonly server: ServerDependencies
  readonly store: Store
  readonly auth: Auth
  readonly routes: readonly Route[]
  readonly logs: string[]
  request(method: string, path: string, ask?: Ask): Promise<Response>
  ask(method: string, path: string, ask?: Ask): Promise<ServerAnswer>
  token(kind: TokenKind, name?: string): Promise<string>
  /** The login of a person, which may look but not approve. */
  login(person?: string): Promise<string>
  close(): Promise<void>
}

export interface TestOptions extends Pick<RuntimeOptions, 'settings' | 'clock' | 'wrapStore'> {
  readonly routes?: readonly Route[]
  readonly oidc?: () => OidcSettings | undefined
}

export async function testServer(options: TestOptions = {}): Promise<TestServer> {
  const logs: string[] = []
  const log = createLog({ destination: { write: (line: string) => void logs.push(line) } })
  const metrics = new Metrics()
  const world = await openRuntime({
    ...options,
    onPublished: (_runId, entries) => metrics.countEntries(entries),
    guard: {
      onFault: (fault) => {
        log.error({ err: fault }, 'a call could not be judged')
        metrics.countFailedCheck()
      },
    },
  })
  const { runtime, guard, store } = world
  const { clock } = runtime
  metrics.watch(runtime)
  const alarm = (message: string) => log.error({ alarm: true }, message)
  const onRefusedPasskey = (fault: unknown) => log.warn({ err: fault }, 'a passkey was refused')
  const oidc = options.oidc === undefined ? {} : { oidc: options.oidc }
  const auth = createAuth({ store, clock, alarm, onRefusedPasskey, ...oidc })
  const stopping = new AbortController()
  const feedHub = new FeedHub(store.feed)
  const server: ServerDependencies = {
    runtime,
    guard,
    auth,
    log,
    metrics,
    feedHub,
    level: () => 'L0',
    url: origin,
    cookieName: 'statewright_4747',
    draining: stopping.signal,
    stopping: stopping.signal,
  }
  const replays = new Replays({ folder: world.folder }, clock, stopping.signal)
  const routes = routeTable([...replayRoutes(replays), ...(options.routes ?? [])])
  const page = pageFile({
    path: '/index.html',
    type: 'text/html; charset=utf-8',
    plain: new TextEncoder().encode('<p>hello</p>'),
  })
  const app = createServer({
    server: server,
    names: ownNames(4747),
    routes,
    pages: new Map([['/', page]]),
  })

  const request = async (method: string, path: string, ask: Ask = {}) => {
    const { token, body, headers } = ask
    return app.request(`http://ignored${path}`, {
      method,
      headers: {
        host,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  }
  return {
    server,
    store,
    auth,
    routes,
    logs,
    request,
    ask: async (method, path, ask) => {
      const answer = await request(method, path, ask)
      const text = await answer.text()
      checkShape(routes, { method, path, status: answer.status, body: parsed(text) })
      return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
    },
    // A person of tests has nobody to type a PIN; `login` makes one like everybody else.
    token: async (kind, name = kind) =>
      (await auth.tokens.mint({ kind, name, createdBy: testPersonMark })).secret,
    login: async (person = 'ann') => {
      const facts = { kind: 'person', name: 'laptop', person, createdBy: 'login link' } as const
      return (await auth.tokens.mint(facts)).secret
    },
    close: async () => {
      stopping.abort()
      await feedHub.close()
      await world.close()
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Plans, then works; publishing needs a person. */
export const release = {
  id: 'release',
  initial: 'planning',
  states: {
    planning: {
      allowed_tools: ['Read', 'Grep'],
      on: { START: { target: 'working', guards: ['planned'] } },
    },
    working: {
      allowed_tools: ['Read', 'Write', 'Bash'],
      on: { PUBLISH: { target: 'done', requires_approval: true }, BACK: 'planning' },
    },
    done: { type: 'final' },
  },
  guards: { planned: { field: 'plan', op: 'exists' } },
  context: {},
  meta: { approval_mode: 'ui' },
}

/** Every good answer that a test gets has the shape that its row promises (ADR 38). */
function checkShape(
  routes: readonly Route[],
  got: { method: string; path: string; status: number; body: unknown },
): void {
  const words = got.path.split('?')[0]?.split('/') ?? []
  const found = routes.filter(({ method, path }) => {
    const segments = path.split('/')
    const fits = (part: string, index: number) => part.startsWith(':') || part === words[index]
    return method === got.method && segments.length === words.length && segments.every(fits)
  })
  // The one with the fewest parameters is what the path means.
  const [route] = found.toSorted((one, other) => parameters(one) - parameters(other))
  const shape = route?.answers[got.status]
  if (shape === undefined || shape === 'text' || got.body === undefined) return
  const read = shape.safeParse(got.body)
  if (!read.success) throw new Error(`${got.method} ${got.path}: ${read.error.message}`)
}

function parameters({ path }: Route): number {
  return path.split(':').length
}
