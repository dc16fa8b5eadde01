import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { tailQuery } from '../../api/entries.ts'
import type { Approval, RunNow } from '../../api/types.ts'
import { consequenceOf } from '../../model/consequence.ts'
import { plainText } from '../../model/plain-text.ts'
import { EntryLine } from '../../ui/entry-line.tsx'
import { ForeignBlock } from '../../ui/foreign-text.tsx'
import { GuardList } from '../../ui/guard-list.tsx'

/** All that a decision needs: what it does, with which arguments, and how it came to this. */
export function ApprovalFacts(props: {
  readonly approval: Approval
  readonly run: RunNow | undefined
}) {
  const { approval, run } = props
  const { ifApproved, ifRejected } = consequenceOf(approval)
  const guards = run?.transitions.find((one) => one.event === approval.event)?.guards ?? []
  return (
    <div className="inbox-facts">
      <div className="stack">
        <dl className="facts">
          <dt>If you approve</dt>
          <dd className="foreign">{plainText(ifApproved)}</dd>
          <dt>If you reject</dt>
          <dd className="foreign">{plainText(ifRejected)}</dd>
          {approval.rules?.map((rule) => (
            <Fragment key={rule.path}>
              <dt>Asked by</dt>
              <dd>
                <code className="foreign">{plainText(rule.path, 200)}</code>
              </dd>
            </Fragment>
          ))}
        </dl>
        {approval.input === undefined ? null : <CallInput approval={approval} />}
        {approval.data === undefined ? null : (
          <div className="stack">
            <h3>Fields that are written</h3>
            <ForeignBlock value={approval.data} label="Fields that are written" />
          </div>
        )}
        {guards.length === 0 ? null : (
          <div className="stack">
            <h3>Guards and what they read</h3>
            <GuardList guards={guards} />
          </div>
        )}
      </div>
      <LastEntries runId={approval.run_id} />
    </div>
  )
}

/** A shell command is shown as it would be typed; anything else as the arguments it is. */
function CallInput({ approval }: { readonly approval: Approval }) {
  const command = commandOf(approval.input)
  return (
    <div className="stack">
      <h3>{command === undefined ? 'Arguments' : 'Command'}</h3>
      <ForeignBlock value={command ?? approval.input} label="Arguments of the call" />
    </div>
  )
}

function commandOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('command' in input)) return undefined
  const { command, ...others } = input
  const isAlone = Object.keys(others).every((name) => name === 'description')
  return typeof command === 'string' && isAlone ? command : undefined
}

function LastEntries({ runId }: { readonly runId: string }) {
  const entries = useQuery(tailQuery(runId, 8)).data ?? []
  return (
    <div className="stack">
      <h3>How it came to this</h3>
      <ol className="stack tail">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <EntryLine entry={entry} />
          </li>
        ))}
      </ol>
    </div>
  )
}
