import { type Endpoint, shapes } from '@statewright/core/wire'
import { z } from 'zod'

/** The description of the API, made from the very table that answers it. */
export function openApi(routes: readonly Endpoint[]): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {}
  const schemas = new NamedSchemas()
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z]+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(route, schemas)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Statewright', version: '1' },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'statewright' },
      },
      schemas: { Problem: problemSchema, ...schemas.all() },
    },
  }
}

function operation(route: Endpoint, schemas: NamedSchemas): object {
  const { who, summary } = route
  return {
    summary,
    'x-statewright-who': who,
    security: who === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...requestBody(route, schemas),
    responses: { ...goodAnswers(route, schemas), default: problemAnswer },
  }
}

function pathParameters({ path }: Endpoint): object[] {
  return [...path.matchAll(/:([a-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Endpoint): object[] {
  if (query === undefined) return []
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

function requestBody({ reads, body }: Endpoint, schemas: NamedSchemas): object {
  if (reads === 'definition') {
    const content = {
      'application/json': { schema: { type: 'object' } },
      'application/yaml': { schema: { type: 'string' } },
    }
    return { requestBody: { required: true, content } }
  }
  if (body === undefined) return {}
  const type = reads === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { requestBody: { content: { [type]: { schema: schemas.refer(body, 'input') } } } }
}

function goodAnswers({ answers }: Endpoint, schemas: NamedSchemas): object {
  return Object.fromEntries(
    Object.entries(answers).map(([status, shape]) => {
      const description = 'Done.'
      if (shape === 'text') return [status, { description }]
      const content = { 'application/json': { schema: schemas.refer(shape, 'output') } }
      return [status, { description, content }]
    }),
  )
}

/** Schemas that several operations have a part in: each stands once, under its name. */
class NamedSchemas {
  readonly #names = z.registry<{ id: string }>()
  /** Sent as they are answered. */
  readonly #alike = new Set<string>()
  /** As JSON, by name. */
  readonly #all = new Map<string, string>()

  constructor() {
    for (const [id, shape] of Object.entries(shapes)) {
      this.#names.add(shape, { id })
      const [sent, answered] = (['input', 'output'] as const).map((io) =>
        JSON.stringify(z.toJSONSchema(shape, { io, unrepresentable: 'any' })),
      )
      if (sent === answered) this.#alike.add(id)
    }
  }

  /** The schema of a shape; what has a name in it is only referred to. */
  refer(shape: z.ZodType, io: 'input' | 'output'): unknown {
    // Inside of another, a shape with a name is referred to as well.
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ shape }), {
      io,
      metadata: this.#names,
      unrepresentable: 'any',
    })
    const nameOf = (id: string) => {
      // The only shape that holds itself: it is numbered again in each operation.
      if (id.startsWith('__schema')) return 'Json'
      // What is sent may leave out what is always answered: then it has a name of its own.
      return io === 'output' || this.#alike.has(id) ? id : `New${id}`
    }
    const named = (schema: unknown) =>
      JSON.stringify(schema).replaceAll(
        /"\$ref":"#\/\$defs\/(\w+)"/g,
        (_, id: string) => `"$ref":"#/components/schemas/${nameOf(id)}"`,
      )
    for (const [id, { id: _, ...schema }] of Object.entries($defs)) {
      const name = nameOf(id)
      const text = named(schema)
      const other = this.#all.get(name) ?? text
      if (other !== text) throw new Error(`${name} is the name of two schemas`)
      this.#all.set(name, text)
    }
    return JSON.parse(named(properties?.shape))
  }

  all(): Record<string, unknown> {
    const inOrder = [...this.#all].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(inOrder.map(([name, text]) => [name, JSON.parse(text)]))
  }
}

const problemSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', description: 'Stable; see the list of codes.' },
    message: { type: 'string' },
    status: { type: 'integer' },
    where: { type: 'string' },
    next: { type: 'string' },
    findings: { type: 'array', items: { type: 'object' } },
  },
}

const problemAnswer = {
  description: 'A refusal or an error.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
}
