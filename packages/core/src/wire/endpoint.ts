import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: anybody, or holders of a token of at least this kind. */
export type Who = 'public' | 'hook' | 'agent' | 'person'

/** What takes more than a login, because it lets an agent go on or changes what holds (PE-2). */
export const verbs = ['approve', 'release', 'define', 'configure', 'mint', 'start'] as const
export type Verb = (typeof verbs)[number]

/**
 * One row of the API. Server, description, reference, command line, library and dashboard read the
 * same rows, so that none of them can have a shape of its own.
 */
export interface Endpoint {
  readonly method: Method
  /** With `:names` for its parameters. */
  readonly path: string
  readonly who: Who
  /** One line for the API's description. */
  readonly summary: string
  /** What it is called; a person must have proved to be there for it (PE-2). */
  readonly proof?: Verb
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /**
   * `json` where a body is told, unless said otherwise. `definition`: the text is taken as it was
   * written; `form`: a browser sent it; `raw`: the handler reads the request itself.
   */
  readonly reads?: 'json' | 'definition' | 'form' | 'raw'
  /** Shapes of the good answers by status; refusals are the same everywhere. */
  readonly answers: Readonly<Record<number, z.ZodType | 'text'>>
}

export function endpoint<const Row extends Endpoint>(row: Row): Row {
  return row
}

/** The parameters that stand in a path. */
export type ParamsOf<Row extends Endpoint> = { readonly [Name in NamesIn<Row['path']>]: string }

type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What a handler gets. */
export type BodyOf<Row extends Endpoint> = Row extends { body: infer Shape extends z.ZodType }
  ? z.output<Shape>
  : undefined
export type QueryOf<Row extends Endpoint> = Row extends { query: infer Shape extends z.ZodType }
  ? z.output<Shape>
  : undefined

/** What a client gives. */
export type BodyFor<Row extends Endpoint> = Row extends { reads: 'definition' }
  ? string
  : Row extends { body: infer Shape extends z.ZodType }
    ? Constant<z.input<Shape>>
    : undefined
export type QueryFor<Row extends Endpoint> = Row extends { query: infer Shape extends z.ZodType }
  ? Constant<z.input<Shape>>
  : undefined

export type StatusOf<Row extends Endpoint> = keyof Row['answers'] & number

/** What a handler may answer with a status. */
export type AnswerFor<
  Row extends Endpoint,
  Status extends StatusOf<Row>,
> = Row['answers'][Status] extends z.ZodType ? Constant<z.input<Row['answers'][Status]>> : string

/** What a client gets, whatever the status. */
export type AnswerOf<Row extends Endpoint> = {
  [Status in StatusOf<Row>]: Row['answers'][Status] extends z.ZodType
    ? z.output<Row['answers'][Status]>
    : string
}[StatusOf<Row>]

/** The same, to look at only: what we hold is never changed where it lies. */
export type Constant<Value> = Value extends readonly (infer Item)[]
  ? readonly Constant<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Constant<Value[Key]> }
    : Value
