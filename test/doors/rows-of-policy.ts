import { join } from 'node:path'
import { answering, deniedOr, mark, type Row, tryWriting, underPolicy, workflow } from './row.ts'

const asking = (verdict: 'approve' | 'reject'): Row => ({
  name: verdict === 'approve' ? 'ask, approved' : 'ask, rejected',
  rules: verdict === 'approve' ? 'PO-7' : 'PO-7, PO-7a',
  definition: ({ write }) => underPolicy({ ask: [{ capability: write.capability }] }),
  acts: () => [mark, mark],
  async play(play) {
    const first = await answering(play, verdict, tryWriting(play, mark))
    if (first !== 'denied approval_required') return `waits, then ${first}`
    // The very same again: the approval is for these arguments.
    return `asks, then ${await tryWriting(play, mark)}`
  },
})

/** Nobody wrote a rule for it: what runs later by itself is changed only when a person agrees. */
const runsLater: Row = {
  name: 'what runs later',
  rules: 'SH-18',
  definition: ({ write }) => workflow([write.tool]),
  acts: ({ project }) => {
    const act = { write: join(project, 'sub/.npmrc'), text: 'script-shell=./evil\n' }
    return [act, act]
  },
  async play(play) {
    const [act] = play.cell.acts
    if (act === undefined) throw new Error('bug: the row has an act')
    const attempt = async () => deniedOr(await play.agent.act(act), 'CHANGED IT')
    const first = await answering(play, 'reject', attempt())
    if (first !== 'denied approval_required') return `waits, then ${first}`
    return `asks, then ${await attempt()}`
  },
}

const limited = (name: string, rules: string, limit: object): Row => ({
  name,
  rules,
  definition: ({ write }) => underPolicy({ allow: [{ capability: write.capability, ...limit }] }),
  acts: () => [mark, { write: 'second.txt', text: 'more\n' }],
  async play(play) {
    const first = await tryWriting(play, mark)
    return first === 'ran' ? tryWriting(play, { write: 'second.txt', text: 'more\n' }) : first
  },
})

const rate = limited('rate', 'PO-5', {
  rate_limit: { max_calls: 1, window_seconds: 86_400 },
})

const budget: Row = {
  ...limited('budget', 'PO-6', {
    budget_limit: { max_usd: 0, period: 'monthly' },
  }),
  acts: () => [mark],
}

/** A new file is a write, whichever tool makes it: a patch is judged by what it does. */
const denyWrite: Row = {
  name: 'deny write',
  rules: 'PO-3b, PO-3c',
  definition: () => underPolicy({ deny: [{ capability: 'write' }] }),
  acts: () => [mark],
  play: (play) => tryWriting(play, mark),
}

/** What changes a file that is there is an edit, be it by replacing the whole of it. */
const denyEdit: Row = {
  name: 'deny edit',
  rules: 'PO-3b, PO-3c',
  definition: () => underPolicy({ deny: [{ capability: 'edit' }] }),
  acts: () => [mark, { write: mark.write, text: 'changed\n' }],
  async play(play) {
    const first = await tryWriting(play, mark)
    if (first !== 'ran') return first
    const outcome = await play.agent.act({ write: mark.write, text: 'changed\n' })
    return deniedOr(outcome, 'ran')
  },
}

const projectPolicy: Row = {
  name: 'project policy',
  rules: 'PO-1b',
  definition: ({ write }) => workflow([write.tool]),
  acts: () => [mark],
  async prepare({ server, project, id }, { write }) {
    const policy = { deny: [{ capability: write.capability }] }
    await server.ask('PUT', `/api/policies/${id}`, { policy, project })
  },
  play: (play) => tryWriting(play, mark),
}

export const policyRows: readonly Row[] = [
  asking('approve'),
  asking('reject'),
  runsLater,
  rate,
  budget,
  denyWrite,
  denyEdit,
  projectPolicy,
]
