import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** What is asked at a terminal, and what the person there types. */
export interface Typist {
  readonly question: RegExp
  readonly answer: string
}

/**
 * Runs a shell script at a terminal of its own, as somebody who sits there would: what asks for a
 * person asks, and is answered. Gives back all that the screen showed, without its colours.
 */
export async function atTerminal(
  script: string,
  options: {
    readonly folder: string
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
    /** Somebody who reads along, and acts elsewhere. */
    readonly onScreen?: (screen: string) => void
  },
  typist: Typist | readonly Typist[],
): Promise<string> {
  const file = join(options.folder, 'typed.sh')
  // Wide, so that no table is cut; output as it is, without a carriage return at each end.
  writeFileSync(file, `stty cols 300 rows 50 -onlcr\n${script}`)
  const shell = `sh '${file}'`
  const args = process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', file] : linuxArgs(shell)
  const child = spawn('script', args, { cwd: options.cwd, env: options.env })
  let sent = ''
  let screen = ''
  let answered = 0
  // One answers whenever it is asked; several answer in turn.
  const turns = 'question' in typist ? undefined : [...typist]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    sent += text
    // A colour may be cut in two: taken out of the whole each time.
    screen = stripVTControlCharacters(sent)
    options.onScreen?.(screen)
    const next = 'question' in typist ? typist : turns?.[0]
    if (next === undefined || !next.question.test(screen.slice(answered))) return
    answered = screen.length
    turns?.shift()
    child.stdin.write(next.answer)
  })
  await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return screen.replaceAll('\r\n', '\n')
}

function linuxArgs(shell: string): string[] {
  return ['--quiet', '--return', '--flush', '--command', shell, '/dev/null']
}
