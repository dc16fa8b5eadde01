import { mark, type Row, tryWriting, workflow } from './row.ts'

const second = { write: 'second.txt', text: 'more\n' } as const

const notMet: Row = {
  name: 'condition not met',
  rules: 'FC-1, FC-15',
  definition: ({ write }) => workflow([write.tool], {}, calls(write.tool, 'state == "nowhere"')),
  acts: () => [mark],
  play: (play) => tryWriting(play, mark),
}

/** The mark is set by the call itself, so that a door where nobody sees results has it as well. */
const marked: Row = {
  name: 'mark by an earlier call',
  rules: 'FC-5',
  definition: ({ write }) =>
    workflow(
      [write.tool],
      {},
      {
        marks: { wrote: { on: write.tool } },
        ...calls(write.tool, '!marks.wrote'),
      },
    ),
  acts: () => [mark, second],
  play: (play) => twice(play),
}

/** The second call needs what the first one has taught: only an observed result teaches. */
const taught: Row = {
  name: 'fact by an observed result',
  rules: 'FC-2',
  definition: ({ write }) =>
    workflow(
      [write.tool],
      {},
      {
        facts: { wrote: { from: write.tool } },
        ...calls(write.tool, 'run.calls < 1 || has(facts.wrote)'),
      },
    ),
  acts: () => [mark, second],
  play: (play) => twice(play),
}

function calls(tool: string, require: string): object {
  return { calls: { [tool]: [{ require, message: 'Not now.' }] } }
}

async function twice(play: Parameters<Row['play']>[0]): Promise<string> {
  const first = await tryWriting(play, mark)
  return first === 'ran' ? tryWriting(play, second) : `FIRST ${first}`
}

export const conditionRows: readonly Row[] = [notMet, marked, taught]
