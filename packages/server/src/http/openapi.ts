import { z } from 'zod'
import type { Route } from './pipeline/route.ts'

/** The description of the API, made from the very table that answers it. */
export function openApi(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:([a-z]+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = operation(route)
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
      schemas: { Problem: problemSchema },
    },
  }
}

function operation(route: Route): object {
  const { who, summary } = route
  return {
    summary,
    'x-statewright-who': who,
    security: who === 'public' ? [] : [{ bearer: [] }, { cookie: [] }],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...requestBody(route),
    responses: { ...goodAnswers(route), default: problemAnswer },
  }
}

function pathParameters({ path }: Route): object[] {
  return [...path.matchAll(/:([a-z]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters({ query }: Route): object[] {
  if (query === undefined) return []
  // A query is an object by its schema.
  const { properties = {} } = schemaOf(query, 'input') as { properties?: Record<string, object> }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

function requestBody({ reads, body }: Route): object {
  if (reads === 'definition') {
    const content = {
      'application/json': { schema: { type: 'object' } },
      'application/yaml': { schema: { type: 'string' } },
    }
    return { requestBody: { required: true, content } }
  }
  if (body === undefined) return {}
  const type = reads === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { requestBody: { content: { [type]: { schema: schemaOf(body, 'input') } } } }
}

function goodAnswers({ answers }: Route): object {
  return Object.fromEntries(
    Object.entries(answers).map(([status, shape]) => {
      const content =
        shape === 'text' ? {} : { content: { 'application/json': { schema: schemaOf(shape) } } }
      return [status, { description: 'Done.', ...content }]
    }),
  )
}

function schemaOf(shape: z.ZodType, io: 'input' | 'output' = 'output'): object {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' })
  return schema
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
