/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

/** Server-sent events; a connection that breaks is the end of them. */
export async function* serverEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<ServerEvent> {
  if (body === null) return
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = readEvent(block)
        if (event !== undefined) yield event
      }
    }
  } catch {
    return
  }
}

function readEvent(block: string): ServerEvent | undefined {
  const data: string[] = []
  let id: string | undefined
  let event: string | undefined
  for (const line of block.split('\n')) {
    if (line.startsWith('id:')) id = line.slice(3).trim()
    if (line.startsWith('event:')) event = line.slice(6).trim()
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart())
  }
  if (data.length === 0) return undefined
  return {
    data: data.join('\n'),
    ...(id === undefined ? {} : { id }),
    ...(event === undefined ? {} : { event }),
  }
}
