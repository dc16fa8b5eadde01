import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { answeredQuery, usageQuery } from '../../api/resources/queries.ts'
import { trustQuery } from '../../api/resources/settings.ts'
import { DemoButton } from '../../ui/demo/demo-button.tsx'
import { CommandLine } from '../../ui/page/command-line.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'

/** An empty inbox; to anyone who is here for the first time it says what this is. */
export function NothingWaits() {
  const decided = useQuery(answeredQuery).data?.length
  const clients = useQuery(trustQuery).data?.clients.length
  const runs = useQuery(usageQuery).data?.runs
  if (decided === undefined || clients === undefined || runs === undefined) return null
  const isFirst = decided + clients + Object.values(runs).reduce((sum, one) => sum + one, 0) === 0
  return isFirst ? <Welcome /> : <Quiet />
}

function Quiet() {
  return (
    <EmptyState
      title="Nothing waits for you"
      command="statewright approval watch"
      action={<DemoButton />}
    >
      When a workflow requires approval or a policy asks, the question appears here at once. The
      same inbox in a terminal:
    </EmptyState>
  )
}

function Welcome() {
  return (
    <div className="empty welcome">
      <h2>Agents ask here before they act</h2>
      <p>
        A workflow says which tools an agent may use in which phase, and when a person is asked.
        Every call is checked against it before it runs, and what waits for you appears on this
        page.
      </p>
      <ol>
        <li>
          <strong>See it work.</strong> A scripted agent is denied, interrupted, and asks you.
          <DemoButton />
        </li>
        <li>
          <strong>Install the command.</strong> Once, in the clone of Statewright, if a terminal
          does not know <code>statewright</code> yet:
          <CommandLine text="npm run install:global" />
        </li>
        <li>
          <strong>Guard your project.</strong> In its folder; this asks for the command that runs
          your tests, your coding client (Claude Code, Codex, Gemini CLI, opencode, Copilot CLI or
          Cursor) and a PIN. Then it writes a first workflow, starts the server of the project,
          installs the client, and shows you its first denied call:
          <CommandLine text="statewright init" />
        </li>
        <li>
          <strong>Make the rules yours</strong> in <Link to="/workflows">Workflows</Link>, or copy
          one of the <a href="/docs/recipes">recipes</a>.
        </li>
      </ol>
    </div>
  )
}
