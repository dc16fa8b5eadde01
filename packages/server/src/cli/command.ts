import { err, type JsonObject, ok, type Problem, type Result } from '@statewright/core/internal'
import { type AnswerOf, Data, type Endpoint, type Sent, type SentTo } from '@statewright/core/wire'
import { type Client, connect, type ServerProblem } from './api/client.ts'
import { proofAtHand, proofFor } from './login/proof.ts'
import { emphasized, forTerminal, reportProblem } from './output/report.ts'

/** A command that talks to the server: its faults become three lines and an exit code. */
export async function withServer(work: (client: Client) => Promise<void>): Promise<void> {
  const client = connect()
  if (!client.ok) {
    process.exitCode = reportProblem(client.error)
    return
  }
  await refusable(() => work(client.value))
}

/** A command that needs no server, with the same ending when it is refused. */
export async function refusable(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (stopped) {
    if (!(stopped instanceof Refused)) throw stopped
    process.exitCode = reportProblem(stopped.problem)
  }
}

/** Ends a command early with what there is to say; nothing else may throw it. */
class Refused extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.message)
    this.problem = problem
  }
}

export function refuse(problem: Problem): never {
  throw new Refused(problem)
}

/** The value, or the end of the command with what stood in its way. */
export function orRefuse<Value>(result: Result<Value, Problem>): Value {
  return result.ok ? result.value : refuse(result.error)
}

/** Calls an endpoint; where it wants a proof, the person at the terminal is asked for the PIN. */
export async function call<Row extends Endpoint>(
  client: Client,
  row: Row,
  ...sent: SentTo<Row>
): Promise<AnswerOf<Row>> {
  return orRefuse(await tryCall(client, row, ...sent))
}

export async function tryCall<Row extends Endpoint>(
  client: Client,
  row: Row,
  ...[sent]: SentTo<Row>
): Promise<Result<AnswerOf<Row>, ServerProblem>> {
  const input = sent ?? ({} as Sent<Row>) // Left out only where every part may be.
  const first = await client.call(row, input, proofAtHand(client).proof)
  if (first.ok || first.error.code !== 'step_up_required') return first
  const proof = await proofFor(client, first.error)
  return proof.ok ? client.call(row, input, proof.value) : proof
}

/** One line of JSON on standard output. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

export function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** The same for a sentence, which breaks between words where the terminal is narrow. */
export function saySentence(sentence: string): void {
  say(emphasized(forTerminal(sentence), process.stderr))
}

export function readJsonOption(text: string, option: string): Result<unknown, Problem> {
  try {
    return ok(JSON.parse(text))
  } catch {
    const next = `write it as ${option} '{"key":1}'.`
    const message = `${option} is not valid JSON.`
    return err({ code: 'usage', message, where: option, next })
  }
}

/** Nothing where the option was not given. */
export function readObjectOption(
  text: string | undefined,
  option: string,
): Result<JsonObject | undefined, Problem> {
  if (text === undefined) return ok(undefined)
  const value = readJsonOption(text, option)
  if (!value.ok) return value
  const data = Data.safeParse(value.value)
  if (data.success) return ok(data.data)
  const message = `${option} is not a JSON object.`
  return err({ code: 'usage', message, where: option, next: `write ${option} '{"key":1}'.` })
}

export interface JsonOption {
  readonly json?: true
}
