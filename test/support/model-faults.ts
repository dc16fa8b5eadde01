import type { ServerResponse } from 'node:http'

/** What goes wrong between a client and a model, whatever format they speak. */
export type ModelFault<Reply> =
  /** An answer that is no stream. */
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: object
    }
  /** The connection breaks after these words. */
  | { readonly cut: readonly Reply[] }
  /** Nothing comes until the client goes away. */
  | { readonly silent: true }

export function isFault<Reply>(turn: unknown): turn is ModelFault<Reply> {
  if (typeof turn !== 'object' || turn === null || Array.isArray(turn)) return false
  return 'status' in turn || 'cut' in turn || 'silent' in turn
}

export async function playFault<Reply>(
  response: ServerResponse,
  fault: ModelFault<Reply>,
  begin: (output: readonly Reply[]) => unknown,
): Promise<void> {
  if ('status' in fault) {
    const { status, headers = {}, body = { error: { type: 'fault', message: 'a fault' } } } = fault
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
    return
  }
  if ('cut' in fault) {
    begin(fault.cut)
    // What was said must be on its way before the connection breaks.
    await new Promise<void>((resolve) => response.write(': \n\n', () => resolve()))
    await new Promise((resolve) => setTimeout(resolve, 50))
    response.destroy()
    return
  }
  await new Promise<void>((resolve) => response.on('close', resolve))
}

/** Arguments as they go over the wire. */
export function textOf(input: object | string): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}
