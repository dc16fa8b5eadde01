import { Dialog } from '@base-ui/react/dialog'
import { type Approval, endpoints } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { call } from '../api/client/client.ts'
import { problemOf } from '../api/client/problem.ts'
import { definitionsQuery, templatesQuery } from '../api/resources/definitions.ts'
import { foundRunsQuery } from '../api/resources/queries.ts'
import { sessionsQuery } from '../api/resources/sessions.ts'
import { type Command, matching } from '../model/app/palette.ts'
import { plainText } from '../model/words/plain-text.ts'
import { shortId } from '../model/words/words.ts'
import { setTour } from '../ui/demo/tour-state.ts'
import { toast } from '../ui/dialogs/toasts.tsx'
import { applyTheme } from '../ui/theme/theme.ts'
import { guide, pages } from './page-list.ts'

/** Find a page or a run, or do something, by typing a few letters of it. */
export function Palette(props: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const { onClose, onKeys } = props
  const commands = useCommands(onKeys)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const found = useFound(text)
  const shown = [...matching(commands, text), ...found]
  const chosen = Math.min(at, shown.length - 1)
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(chosen + 1, shown.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(chosen - 1, 0))
    else if (event.key === 'Enter') run(shown[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="visually-hidden">Search or run a command</Dialog.Title>
          <input
            className="palette-input"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={shown[chosen] === undefined ? undefined : `${id}-${chosen}`}
            aria-label="Page, run, workflow or action"
            placeholder="Search or run a command"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
          <Matches {...{ id, shown, chosen, onPoint: setAt, onRun: run }} />
          {shown.length === 0 ? <p className="soft">No results</p> : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Matches(props: {
  readonly id: string
  readonly shown: readonly Command[]
  readonly chosen: number
  readonly onPoint: (index: number) => void
  readonly onRun: (command: Command) => void
}) {
  const { id, shown, chosen, onPoint, onRun } = props
  return (
    <div id={id} role="listbox" aria-label="Matches" className="palette-list">
      {shown.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
        // biome-ignore lint/a11y/useFocusableInteractive: the field above keeps the focus.
        <div
          key={command.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className="palette-line"
          onClick={() => onRun(command)}
          onMouseMove={() => onPoint(index)}
        >
          <span className="clip">{command.name}</span>
          <span className="soft small-text clip">{command.hint}</span>
        </div>
      ))}
    </div>
  )
}

/** Workflows, templates and sessions by their names; asked for when the palette is opened. */
function useNamed(): readonly Command[] {
  const navigate = useNavigate()
  const workflows = useQuery(definitionsQuery('workflow')).data ?? []
  const templates = useQuery(templatesQuery).data ?? []
  const sessions = useQuery({ ...sessionsQuery, refetchInterval: false }).data ?? []
  return [
    ...workflows.map(
      ({ name }): Command => ({
        id: `workflow ${name}`,
        name: plainText(name, 80),
        hint: 'Workflow',
        act: () => void navigate({ to: '/workflows/$name', params: { name } }),
      }),
    ),
    ...templates.map(
      ({ name, kind }): Command => ({
        id: `template ${name}`,
        name: plainText(name, 80),
        hint: `Template of a ${kind}`,
        act: () => void navigate({ to: '/playground', search: { template: name } }),
      }),
    ),
    ...sessions.slice(0, maxSessions).map(
      ({ sessionId, title, harness, kind }): Command => ({
        id: `session ${sessionId}`,
        name: plainText(title ?? `${harness} session`, 80),
        hint: `Session, ${kind} · ${sessionId}`,
        act: () => void navigate({ to: '/sessions/$sessionId', params: { sessionId } }),
      }),
    ),
  ]
}

async function playDemo(): Promise<void> {
  try {
    const { run_id: runId } = await call(endpoints.startDemo, { body: {} })
    setTour({ runId, chapter: 0 })
  } catch (fault) {
    toast('bad', problemOf(fault).message)
  }
}

const maxSessions = 200

/** What the server finds for the words: runs, and passages of the guide. */
function useFound(text: string): readonly Command[] {
  const navigate = useNavigate()
  const [words, setWords] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setWords(text.trim()), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  const runs = useQuery(foundRunsQuery(words)).data ?? []
  if (text.trim().length < 2) return []
  return [
    ...runs.map(
      (row): Command => ({
        id: `run ${row.run_id}`,
        name: plainText(`${row.workflow} · ${row.state}`, 80),
        hint: `${row.status} · ${shortId(row.run_id)}`,
        act: () => void navigate({ to: '/runs/$runId', params: { runId: row.run_id } }),
      }),
    ),
    {
      id: 'all runs',
      name: plainText(`All runs with “${text.trim()}”`, 80),
      hint: 'Runs',
      act: () => void navigate({ to: '/runs', search: { search: text.trim() } }),
    },
    {
      id: 'docs',
      name: plainText(`Search the docs for “${text.trim()}”`, 80),
      hint: 'Docs',
      act: () => location.assign(`${guide.href}?q=${encodeURIComponent(text.trim())}`),
    },
  ]
}

const typingMs = 150

function useCommands(onKeys: () => void): readonly Command[] {
  const navigate = useNavigate()
  const client = useQueryClient()
  const goTo = pages.map(
    ({ to, name, what, key }): Command => ({
      id: `page ${to}`,
      name,
      hint: `${what} · g ${key}`,
      act: () => void navigate({ to }),
    }),
  )
  const themes = (['light', 'dark', 'system'] as const).map(
    (theme): Command => ({
      id: `theme ${theme}`,
      name: `Theme: ${theme}`,
      hint: 'Change the theme',
      act: () => applyTheme(theme),
    }),
  )
  const waiting = client.getQueryData<readonly Approval[]>(['approvals', 'waiting']) ?? []
  const approvals = waiting.map(
    (approval): Command => ({
      id: `approval ${approval.approval_id}`,
      name: plainText(`Decide: ${approval.message}`, 80),
      hint: approval.run_id,
      act: () => void navigate({ to: '/', search: { approval: approval.approval_id } }),
    }),
  )
  const keys: Command = {
    id: 'keys',
    name: 'Keyboard shortcuts',
    hint: 'Help · ?',
    act: onKeys,
  }
  return [...goTo, ...approvals, ...useNamed(), ...useActions(), keys, ...themes]
}

function useActions(): readonly Command[] {
  const navigate = useNavigate()
  const inSettings = (id: string, name: string, hint: string): Command => {
    return { id, name, hint, act: () => void navigate({ to: '/settings' }) }
  }
  return [
    inSettings('mode', 'Observe or enforce', 'Settings: whether calls are denied'),
    inSettings('log out', 'Log out', 'Settings: browsers that are logged in'),
    {
      id: 'demo',
      name: 'Play the demo',
      hint: 'A scripted agent, with a tour',
      act: () => void playDemo(),
    },
    {
      id: 'new workflow',
      name: 'New workflow',
      hint: 'Begin with a template',
      act: () => void navigate({ to: '/templates', search: { kind: 'workflow' } }),
    },
    {
      id: 'new process',
      name: 'New process',
      hint: 'Begin with a template',
      act: () => void navigate({ to: '/templates', search: { kind: 'process' } }),
    },
    {
      id: 'guide',
      name: guide.name,
      hint: 'Guide and help',
      act: () => location.assign(guide.href),
    },
    {
      id: 'compare',
      name: 'Compare two runs',
      hint: 'Side by side, with the first difference',
      act: () => void navigate({ to: '/compare' }),
    },
    {
      id: 'open',
      name: 'Open an exported run',
      hint: 'A file from `statewright run export`',
      act: () => void navigate({ to: '/open' }),
    },
  ]
}
