import { mkdirSync, writeFileSync } from 'node:fs'
import { phrase } from '@statewright/core/internal'
import { addUnjudged } from '../../packages/server/src/runtime/blocks/unjudged.ts'
import { dispatch } from '../../packages/server/src/runtime/dispatch.ts'
import { savePolicy } from '../../packages/server/src/runtime/rules/save-policy.ts'
import { noteInLiveRuns } from '../../packages/server/src/runtime/runs/change-run.ts'
import { reportCost, reportUsage } from '../../packages/server/src/runtime/runs/report-cost.ts'
import { commands } from './definitions.ts'
import { agent, Player, person, type World, worker } from './player.ts'

type Story = (world: World) => Promise<void>

const edit = (file: string, lines = 1) => ({
  file_path: file,
  old_string: 'a',
  new_string: Array.from({ length: lines }, (_, index) => `line ${index}`).join('\n'),
})

/** What a run may live through, told through the runtime; each gives runs of its own. */
export const stories: Readonly<Record<string, Story>> = {
  async finished(world) {
    const run = await Player.start(world, { workflow: 'bugfix', context: { size: 2 } })
    await run.use('Edit', edit('a.ts'))
    await run.use('Read', { file_path: 'a.ts' })
    await run.send('FOUND')
    await run.send('FUOND')
    await run.send('BACK')
    await run.send('FOUND', { _cause: 'x' })
    await run.send('CHOOSE')
    await run.event({ type: 'forced', state: 'fixing', context: { cause: 'line 42' } })
    await run.use('Edit', edit('a.ts', 9))
    await run.use('Edit', { file_path: 'a.ts' })
    await run.use('Edit', edit('a.ts'))
    await run.use('Write', { file_path: 'b.ts', content: 'x' }, { exit: 'failure' })
    await run.use('Edit', edit('c.ts'))
    await run.use('Edit', edit('d.ts'))
    await run.use('Read', { file_path: 'x' }, { bytes: 950 })
    await run.use('Read', { file_path: 'y' }, { bytes: 950 })
    await run.use('Read', { file_path: 'z' })
    await run.bash('echo $SECRET_KEY')
    await run.send('FIXED', { rationale: 'It is fixed.', notes: [1, { a: null }] })
    for (const command of ['npm test', 'git push', 'npm test > log']) await run.bash(command)
    await run.send('PASSED')
    await run.send('FAILED')
    await run.resolve('approve', { note: 'well done' })
    await run.resolve('approve')
    await run.send('FOUND')
    await run.use('Read')
  },
  async approvals(world) {
    const run = await Player.start(world, { workflow: 'bugfix', context: { cause: 'x' } })
    await run.send('FOUND')
    await run.send('FIXED')
    await run.send('PASSED', { proof: true })
    const first = run.lastApproval
    await run.resolve('reject', { note: 'not yet' })
    await run.send('PASSED')
    await run.expire(120_000)
    await run.send('PASSED')
    await run.event({ type: 'approval_resolved', approvalId: 'nobody', verdict: 'approve' })
    await run.event({ type: 'approval_resolved', approvalId: first, verdict: 'reject' })
    const byAgent = { type: 'approval_resolved', approvalId: run.lastApproval, verdict: 'approve' }
    await run.event({ ...byAgent, type: 'approval_resolved' }, agent)
  },
  async withdrawn(world) {
    const run = await Player.start(world, { workflow: 'detours' })
    await run.send('DONE')
    await run.use('Edit', edit('a.js'))
    await run.send('OK')
    await run.send('OK')
    await run.ask('Edit', edit('b.js'))
    await run.send('DONE')
    await run.send('OK')
    await run.bash('echo x > c.js')
    await run.ask('Read')
    await run.send('OK')
    await run.send('DONE')
    await run.event({ type: 'stopped', reason: 'enough' })
    await run.result({}, agent, 'unheard-of')
    const forced = await Player.start(world, { workflow: 'detours' })
    await forced.event({ type: 'forced', state: 'check' })
    await forced.send('OK')
  },
  async forks(world) {
    const run = await Player.start(world, { workflow: 'forking' })
    await run.send('ALL')
    await run.use('Read')
    await run.use('Edit', edit('a.ts'))
    await run.use('Read', {}, {}, worker('one'))
    await run.event({ type: 'branch_bound', branch: 'lint' }, worker('one'))
    await run.event({ type: 'branch_bound', branch: 'lint' }, worker('two'))
    await run.event({ type: 'branch_bound', branch: 'nope' }, worker('two'))
    await run.use('Read', {}, {}, worker('one'))
    await run.use('Read')
    await run.use('Agent', { prompt: 'work' })
    await run.send('NEXT', { n: 1 }, undefined, worker('one'))
    await run.send('BRANCH_DONE', undefined, undefined, worker('one'))
    await run.send('END', undefined, 'lint', worker('one'))
    await run.send('BRANCH_DONE:lint', undefined, undefined, worker('one'))
    await run.send('END', undefined, 'docs', worker('two'))
    await run.send('END', undefined, 'docs', person)
    await run.resolve('approve')
    await run.send('ALL')
    await run.send('DONE', { over: true })

    const failing = await Player.start(world, { workflow: 'forking' })
    await failing.send('ANY')
    await failing.send('BRANCH_FAIL:lint', { why: 'no' })
    await failing.send('BRANCH_DONE')
    await failing.send('BRANCH_DONE:nope')
    await failing.send('BRANCH_DONE:docs')
    await failing.send('BRANCH_DONE:docs')
    await failing.send('ALL')
    await failing.send('ALL')
    await failing.send('BRANCH_FAIL:docs')

    const open = await Player.start(world, { workflow: 'forking' })
    await open.send('ALL')
    await open.send('NEXT')
    await open.send('END')
    await open.use('Edit', edit('z.ts'))
    await open.ask('Edit', edit('z.ts'), { branch: 'docs' })
    await open.ask('Edit', edit('z.ts'), { branch: 'docs' })
    await open.ask('Edit', edit('z.ts'), { branch: 'nope' })
  },
  async children(world) {
    const run = await Player.start(world, { workflow: 'parent' })
    await run.send('CALL', { before: 1 })
    await run.use('Edit', edit('a.ts'))
    await run.use('Read')
    await run.send('BAD')
    await run.send('CALL')
    await run.send('GOOD', { result: 'fine' })
    await run.send('DONE')
    const deep = await Player.start(world, { workflow: 'mirror' })
    for (let depth = 0; depth < 10; depth++) await deep.send('DEEPER', { depth })
    await deep.event({ type: 'paused' }, agent)
    await deep.event({ type: 'forced', state: 'end' }, agent)
    const fails = await Player.start(world, { workflow: 'parent' })
    await fails.send('RISK')
    await fails.send('BAD')
    const gated = await Player.start(world, { workflow: 'parent' })
    await gated.send('GATE')
    await gated.use('Edit', edit('a.ts'))
    await gated.answer('never')
  },
  async processes(world) {
    const run = await Player.start(world, { process: 'review' })
    await run.use('Edit', edit('a.ts'))
    await run.ask('rollout', {}, { server: 'deploy' })
    await run.ask('fire', {}, { server: 'danger' })
    await run.answer('perhaps')
    await run.answer('no', 'I forgot.')
    await run.send('yes')
    await run.answer(' YES ', 'Now it is.')
    await mails(run)
    await run.answer('yes')
    await run.use('Read')
    await run.answer('yes')
    await run.event({ type: 'paused' }, agent)
    await run.resolve('approve', { note: 'I was there' })
    await reportCost(world.runtime, agent, { run: run.runId }, 600_000)
    await run.use('Read')
    await run.answer('yes')

    const rejected = await Player.start(world, { process: 'review' })
    await rejected.answer('yes')
    await rejected.answer('yes')
    await rejected.resolve('reject', { note: 'no' })
    await rejected.use('Read')
    await rejected.answer('yes')

    const waiting = await Player.start(world, { process: 'review' }, person)
    await waiting.answer('yes')
    await waiting.answer('yes')
  },
  async policies(world) {
    const run = await Player.start(world, { workflow: 'limits' })
    await run.ask('drop', {}, { server: 'prod' })
    for (let round = 0; round < 3; round++) await run.use('WebSearch', { query: 'x' })
    for (let round = 0; round < 3; round++) {
      await run.ask('complete', { round }, { server: 'model' })
      await run.result({ costMicros: 60_000 })
    }
    await run.ask('WebFetch', { url: 'https://a.example' })
    await run.ask('WebFetch', { url: 'https://a.example' })
    await run.resolve('approve')
    await run.use('WebFetch', { url: 'https://a.example' })
    await run.ask('WebFetch', { url: 'https://a.example' })
    await run.resolve('reject', { note: 'not this one' })
    await run.ask('WebFetch', { url: 'https://a.example' })
    await run.ask('WebFetch', { url: 'https://b.example' })
    await run.expire(3_600_000)
    await run.ask('WebFetch', { url: 'https://c.example' })
    world.clock.wait(3_600_000)
    await run.ask('WebFetch', { url: 'https://d.example' })
    await run.resolve('approve', { always: true })
    await run.use('WebFetch', { url: 'https://e.example' })
    await run.ask('pay', { sum: 1 }, { server: 'pay' })
    await run.event({ type: 'stopped' })

    const waits = await Player.start(world, { workflow: 'limits' })
    for (let sum = 0; sum < 21; sum++)
      await waits.ask('WebFetch', { url: `https://${sum}.example` })
  },
  async attached(world) {
    const policy = {
      role: 'developer',
      deny: [{ capability: 'glob' }],
      ask: [{ capability: 'todowrite' }],
    }
    await savePolicy(world.runtime, person, { name: 'house', policy })
    const ofProject = {
      allow: [{ capability: 'read' }, { capability: 'todowrite' }],
      default: 'deny',
    }
    await savePolicy(world.runtime, person, { name: 'shop', policy: ofProject, project: 'shop' })
    const run = await Player.start(world, { workflow: 'limits', project: 'shop' })
    for (const tool of ['Glob', 'TodoWrite', 'Read', 'Grep']) await run.use(tool)
    await run.resolve('approve')
    await run.use('TodoWrite')
  },
  async evidence(world) {
    const { workspace } = world
    mkdirSync(`${workspace}/src`, { recursive: true })
    writeFileSync(`${workspace}/package.json`, '{"scripts":{"test":"true"}}')
    writeFileSync(`${workspace}/src/a.ts`, 'let a = 1\n')
    const run = await Player.start(world, { workflow: 'proving', workspace })
    await run.send('SHIP')
    await run.send('SEEN')
    await run.ask('Bash', { command: 'npm test' })
    await run.send('SHIP')
    await run.result({ exit: 'failure' })
    await run.send('SHIP')
    await run.bash('npm test')
    await run.use('Read', { file_path: 'src/a.ts' })
    await run.use('Edit', { file_path: `${workspace}/src/a.ts`, old_string: '1', new_string: '2' })
    await run.send('SEEN')
    await run.send('SHIP')
    await run.bash('npm test')
    writeFileSync(`${workspace}/package.json`, '{"scripts":{"test":"false"}}')
    await run.send('SHIP')
    writeFileSync(`${workspace}/src/a.ts`, 'let a = 3\n')
    await run.resolve('approve')
    await run.bash('npm test')
    await run.send('SHIP')
    await run.resolve('approve')
  },
  async shells(world) {
    const run = await Player.start(world, { workflow: 'shells' })
    for (const command of commands) await run.bash(command)
    await run.ask('Bash', {})
    await run.ask('Bash', { command: 'ls', run_in_background: true })
    await run.ask('Bash', { command: ['cat', 'a b'] })
    await run.send('LIST')
    for (const command of commands) await run.bash(command)
    const other = await Player.start(world, { workflow: 'shells' })
    await other.send('ENV')
    for (const command of commands) await other.bash(command)
  },
  async lifecycle(world) {
    const run = await Player.start(world, { workflow: 'bugfix' })
    await run.event({ type: 'resumed' })
    await run.event({ type: 'paused' }, agent)
    await run.event({ type: 'paused' }, agent)
    await run.use('Edit', edit('a.ts'))
    await run.send('FOUND')
    await run.event({ type: 'resumed' }, agent)
    await run.event({ type: 'forced', state: 'nowhere' })
    await run.event({ type: 'forced', state: 'testing' }, agent)
    await run.send('ODD')
    await run.ask('Read', { file_path: 'a' }, { callId: 'same' })
    await run.ask('Read', { file_path: 'a' }, { callId: 'same' })
    await run.ask('Read', { file_path: 'b' }, { callId: 'same' })
    await run.event({ type: 'started', hash: 'x' })
    await run.event({ type: 'stopped' }, agent)
    await run.event({ type: 'stopped' }, agent)

    const plain = await Player.start(world, { workflow: 'shells' })
    await plain.event({ type: 'forced', state: 'listed' })
    await plain.event({ type: 'paused' })

    const locked = await Player.start(world, { workflow: 'limits', context: {} }, person)
    await locked.event({ type: 'paused' }, agent)
    await locked.event({ type: 'forced', state: 'end' }, agent)
  },
  async notes(world) {
    const { runtime } = world
    const run = await Player.start(world, { workflow: 'bugfix' })
    await run.probe('Bash', { command: 'rm -rf /' })
    await run.probe('Read', {})
    await reportCost(runtime, agent, { run: run.runId }, 1234)
    const usage = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 }
    await reportUsage(runtime, agent, { run: run.runId }, { model: 'unheard-of', usage })
    await noteInLiveRuns(runtime, person, phrase('mode_observe', { who: 'ada' }), () => {})
    await dispatch(runtime, run.runId, () => ({
      event: {
        type: 'noted',
        at: world.clock.now(),
        by: { kind: 'system', id: 'statewright' },
        entry: 'gap',
        code: 'unjudged_call',
        text: phrase('calls_unjudged', {
          calls: [phrase('call_named', { tool: 'Bash', call: 'call_9' })],
        }),
      },
      extras: { role: '' },
    }))
  },
  async waiting(world) {
    const run = await Player.start(world, { workflow: 'bugfix', context: { cause: 'x' } })
    await run.send('FOUND')
    await run.send('FIXED')
    await run.send('PASSED', { proof: true })
    await run.use('Read')
    const request = await Player.start(world, { workflow: 'limits' })
    await request.ask('WebFetch', { url: 'https://a.example' })
    const counted = await Player.start(world, { workflow: 'bugfix', context: { cause: 'x' } })
    await counted.send('FOUND')
    for (let round = 0; round < 7; round++) await counted.use('Read', { round }, { exit: null })
  },
  /** Its newest stored snapshot is older than its last entries, as after a crash. */
  async unsaved(world) {
    const run = await Player.start(world, { workflow: 'bugfix', context: { cause: 'x' } })
    await run.send('FOUND')
    await run.use('Edit', edit('a.ts'))
    await run.use('Glob')
    await run.ask('Edit', edit('b.ts'))

    const busy = await Player.start(world, { workflow: 'shells' })
    for (let round = 0; round < 40; round++) await busy.bash('ls')
    await busy.use('Edit', edit('a.ts'))
  },
}

/** Stories of a server that is strict, has protected files and no sandbox. */
export const strictStories: Readonly<Record<string, Story>> = {
  async strict(world) {
    const run = await Player.start(world, { workflow: 'limits' }, person)
    await run.use('Read')
    await run.use('Bash', { command: 'ls' })
    await run.event({ type: 'paused' })
    await run.use('Read')
    await run.event({ type: 'resumed' }, agent)
    await run.event({ type: 'resumed' })
    await addUnjudged(world.runtime, { runId: run.runId, count: 1, text: 'Bash (call_9)' })
    await run.use('Read')
    await run.event({ type: 'stopped' })
    await run.use('Read')
  },
  async guarded(world) {
    const { workspace } = world
    const run = await Player.start(world, { workflow: 'shells', workspace }, person)
    await run.send('BOX', undefined, undefined, person)
    await run.bash('ls')
    await run.ask('Bash', {})
    await run.use('Edit', edit(`${workspace}/data/key`))
    await run.use('Edit', edit(`${workspace}/statewright.yaml`))
    await run.use('Edit', edit(`${workspace}/Makefile`))
    await run.resolve('approve')
    await run.use('Edit', edit(`${workspace}/Makefile`))
  },
}

async function mails(run: Player): Promise<void> {
  const send = (input: unknown) => run.use('send-email', input)
  const to = 'team@example.com'
  await send({ to, from: 'a@example.com', subject: 'x' })
  await send({ to, from: 'a@example.com', subject: 'y' })
  await send({ to: 'x@else.example', from: 'a@example.com' })
  await send({ to, from: 'a@else.example' })
  await send({ to })
  await send({ subject: 'nobody' })
  await send('not a mail')
}
