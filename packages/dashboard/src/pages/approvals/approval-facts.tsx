import type { Approval, Run, RunLine } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { tailQuery } from '../../api/resources/entries.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { EntryLine } from '../../ui/values/entry-line.tsx'
import { GuardList } from '../../ui/values/guard-list.tsx'
import { ProposalBox } from './proposal-box.tsx'

/** All that a decision needs: what it does, with which arguments, and how it came to this. */
export function ApprovalFacts(props: {
  readonly approval: Approval
  readonly run: Run | undefined
  readonly row: RunLine | undefined
}) {
  const { approval, run, row } = props
  const guards = run?.transitions.find((one) => one.event === approval.event)?.guards ?? []
  return (
    <div className="inbox-facts">
      <div className="stack">
        <ProposalBox approval={approval} />
        <dl className="facts">
          <Outcome name="Agent" text={agentText(approval)} />
          <Outcome name="Its reason" text={approval.rationale} />
          <Outcome name="If you approve" text={approval.if_approved} />
          <Outcome name="If you reject" text={approval.if_rejected} />
          <Outcome name="If nobody answers" text={approval.if_expired} />
          {approval.rules?.map((rule) => (
            <Fragment key={rule.path}>
              <dt>Asked by</dt>
              <dd>
                <code className="foreign">{plainText(rule.path, 200)}</code>
              </dd>
            </Fragment>
          ))}
        </dl>
        {guards.length === 0 ? null : (
          <div className="stack">
            <h3>Guards and what they read</h3>
            <GuardList guards={guards} />
          </div>
        )}
      </div>
      <LastEntries row={row} />
    </div>
  )
}

function agentText({ agent, role }: Approval): string | undefined {
  return agent === undefined ? undefined : `${agent}, role ${role ?? 'agent'}`
}

/** The server says what follows: it knows the definition and where the run stands. */
function Outcome({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <>
      <dt>{name}</dt>
      <dd className="foreign">{plainText(text, 20_000)}</dd>
    </>
  )
}

function LastEntries({ row }: { readonly row: RunLine | undefined }) {
  const tail = tailQuery(useQueryClient(), row ?? { run_id: '', seq: 0 }, 8)
  const entries = useQuery({ ...tail, enabled: row !== undefined }).data ?? []
  return (
    <div className="stack">
      <h3>What led here</h3>
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
