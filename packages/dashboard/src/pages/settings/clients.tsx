import type { ClientFinding } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { problemOf } from '../../api/client/problem.ts'
import { clientsQuery } from '../../api/resources/settings.ts'
import { count } from '../../model/words/words.ts'
import { CommandLine } from '../../ui/page/command-line.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { type ClientLine, clientLines } from './installed-clients.ts'

/** Coding clients that we guard, with what "doctor" found, and what mends it. */
export function Clients() {
  const { data, error } = useQuery(clientsQuery)
  const lines = data === undefined ? [] : clientLines(data.clients, data.report?.clients ?? [])
  return (
    <section className="panel" aria-labelledby="clients-title">
      <header>
        <h2 id="clients-title">Coding clients</h2>
        <a href="/docs/clients">What is guarded in each client</a>
      </header>
      {error === null ? null : <ProblemNote problem={problemOf(error)} />}
      {data !== undefined && lines.length === 0 ? (
        <EmptyState
          title="No coding client is guarded yet"
          command="statewright install claude-code"
        >
          Claude Code, Codex, Gemini CLI, opencode, Copilot CLI and Cursor ask for a decision before
          every tool call once their hooks are installed. Run this in your project:
        </EmptyState>
      ) : null}
      {lines.length === 0 ? null : (
        <ul className="body client-list">
          {lines.map((line) => (
            <ClientItem key={`${line.client} ${line.location ?? ''}`} line={line} />
          ))}
        </ul>
      )}
    </section>
  )
}

const healths = {
  sound: ['good', 'done', 'healthy'],
  warning: ['wait', 'care', 'check it'],
  broken: ['bad', 'danger', 'broken'],
  unknown: ['', 'ask', 'not examined yet'],
} as const

function ClientItem({ line }: { readonly line: ClientLine }) {
  const [tone, mark, word] = healths[line.health]
  return (
    <li className="stack">
      <div className="row">
        <strong>
          <Foreign text={line.client} max={60} />
        </strong>
        <span className={`badge ${tone}`}>
          <Mark name={mark} />
          {word}
        </span>
        <span className="soft small-text">
          {line.location === null ? null : <Foreign text={line.location} max={200} />}
          {line.lastSeenAt === null ? (
            ' · never seen in use'
          ) : (
            <>
              {' · '}seen <Ago at={line.lastSeenAt} />
              {line.hooks === 0 ? '' : `, ${count(line.hooks, 'hook')} since the start`}
            </>
          )}
          {line.examinedAt === null ? null : (
            <>
              {' · '}examined <Ago at={line.examinedAt} />
            </>
          )}
        </span>
      </div>
      {line.findings.length === 0 ? null : (
        <details open={line.health !== 'sound'}>
          <summary className="small-text">
            {count(line.findings.length, 'finding')} of statewright doctor
          </summary>
          <ul className="finding-list small-text">
            {line.findings.map((finding) => (
              <FindingItem key={`${finding.check} ${finding.message}`} finding={finding} />
            ))}
          </ul>
        </details>
      )}
      {line.command === null ? null : <CommandLine text={line.command} />}
    </li>
  )
}

const marks = {
  ok: ['good', 'done'],
  warning: ['wait', 'care'],
  broken: ['bad', 'danger'],
} as const

function FindingItem({ finding }: { readonly finding: ClientFinding }) {
  const [tone, mark] = marks[finding.status]
  return (
    <li>
      <span className={tone}>
        <Mark name={mark} /> {finding.status}
      </span>{' '}
      <Foreign text={finding.check} max={60} />: <Foreign text={finding.message} max={600} />
      {finding.next === undefined ? null : (
        <span className="soft">
          {' '}
          Next: <Foreign text={finding.next} max={300} />
        </span>
      )}
    </li>
  )
}
