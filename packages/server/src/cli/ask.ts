import { createInterface } from 'node:readline'

/** Whether somebody sits there who can be asked. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/**
 * Asks for the PIN without showing it. Without a terminal nobody is asked: a PIN that comes from
 * a pipe would prove nothing about a person.
 */
export async function askHidden(question: string): Promise<string | undefined> {
  if (!hasTerminal()) return undefined
  const pin = await readHidden(question)
  process.stderr.write('\n')
  return pin === '' ? undefined : pin
}

export async function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await new Promise<string>((resolve) => {
      lines.question(question, resolve)
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
  }
}

/** Waits for one key; Ctrl-C and the end of input are `stop`. */
export async function readKey(): Promise<string> {
  const key = await readRaw((text) => text.length > 0)
  return key === '\u0003' || key === '\u0004' ? 'stop' : key
}

async function readHidden(question: string): Promise<string> {
  const text = await readRaw((read) => /[\r\n\u0003\u0004]/.test(read), question)
  // Ctrl-C gives up; whatever was typed before it was not meant.
  if (/[\u0003\u0004]/.test(text)) return ''
  return typed(text.replace(/[\r\n][\s\S]*$/, ''))
}

/** Applies the backspaces that a terminal in raw mode leaves to us. */
function typed(text: string): string {
  const characters: string[] = []
  for (const character of text) {
    if (character === '\u007f' || character === '\b') characters.pop()
    else characters.push(character)
  }
  return characters.join('')
}

/** The question comes once nothing is shown any more: a quick typist must not be seen. */
function readRaw(isDone: (text: string) => boolean, question = ''): Promise<string> {
  const { stdin } = process
  return new Promise((resolve) => {
    let text = ''
    const onData = (chunk: Buffer) => {
      text += chunk.toString('utf8')
      if (isDone(text)) finish()
    }
    const finish = () => {
      stdin.off('data', onData).off('end', finish)
      stdin.setRawMode(false)
      stdin.pause()
      resolve(text === '' ? '\u0004' : text)
    }
    stdin.setRawMode(true)
    process.stderr.write(question)
    stdin.on('data', onData).once('end', finish)
    stdin.resume()
  })
}
