import { existsSync } from 'node:fs'
import { Agent } from '../agent.ts'
import type { Answer, Level } from '../table.ts'
import type { World } from '../world.ts'

/** Tries one thing as an agent of one level, really, and says what came of it. */
export type Probe = (world: World, level: Level) => Promise<Answer>

export function answerOf(isHeld: boolean): Answer {
  return isHeld ? 'holds' : 'does not hold'
}

/** The one answer to several tries; a mixed one is no answer. */
export async function same(tries: readonly (() => Promise<Answer>)[]): Promise<Answer> {
  const answers: Answer[] = []
  for (const one of tries) answers.push(await one())
  const [first = 'holds', ...others] = answers
  if (others.some((answer) => answer !== first)) throw new Error(`mixed: ${answers.join(', ')}`)
  return first
}

/** Calls that are judged, each in a run of its own. */
export function judged(
  callsOf: (world: World, agent: Agent) => readonly (readonly [tool: string, input: object])[],
): Probe {
  return async (world, level) => {
    const { length } = callsOf(world, await Agent.start(world, level))
    return same(
      Array.from({ length }, (_, index) => async () => {
        const agent = await Agent.start(world, level)
        const [tool, input] = callsOf(world, agent)[index] ?? ['', {}]
        return agent.judged(tool, input)
      }),
    )
  }
}

/** A program that prints what it must not get, or `got it`. */
export function prints(
  expected: string,
  scriptOf: (world: World, agent: Agent) => string,
  options: Parameters<typeof Agent.start>[2] = {},
): Probe {
  return async (world, level) => {
    const agent = await Agent.start(world, level, options)
    const { stdout } = await agent.program(scriptOf(world, agent))
    return answerOf(!stdout.includes(expected))
  }
}

/** A program that makes a file which must not be there. */
export function makes(pathOf: (world: World, agent: Agent) => string): Probe {
  return async (world, level) => {
    const agent = await Agent.start(world, level)
    const path = pathOf(world, agent)
    await agent.program(`mkdir -p "$(dirname '${path}')"; echo made > '${path}'`)
    return answerOf(!existsSync(path))
  }
}
