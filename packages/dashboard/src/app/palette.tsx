import { Dialog } from '@base-ui/react/dialog'
import type { AnswerOf, Approval, endpoints } from '@statewright/core/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { type Command, matching } from '../model/palette.ts'
import { plainText } from '../model/plain-text.ts'
import { applyTheme } from '../ui/theme.ts'
import { pages } from './page-list.ts'

/** Find a page or a run, or do something, by typing a few letters of it. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const commands = useCommands()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const id = useId()
  const shown = matching(commands, text)
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
          <Dialog.Title className="visually-hidden">Find or do</Dialog.Title>
          <input
            className="palette-input"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={shown[chosen] === undefined ? undefined : `${id}-${chosen}`}
            aria-label="Page, run or action"
            placeholder="Page, run or action"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
          />
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
                onClick={() => run(command)}
                onMouseMove={() => setAt(index)}
              >
                <span className="clip">{command.name}</span>
                <span className="soft small-text clip">{command.hint}</span>
              </div>
            ))}
          </div>
          {shown.length === 0 ? <p className="soft">Nothing is called like that.</p> : null}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function useCommands(): readonly Command[] {
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
      hint: 'Change the look',
      act: () => applyTheme(theme),
    }),
  )
  const open: Command = {
    id: 'open',
    name: 'Open an exported run',
    hint: 'A file from `statewright run export`',
    act: () => void navigate({ to: '/open' }),
  }
  // Whatever the pages have read so far; the palette itself asks nothing of the server.
  const lists = client.getQueriesData<{ pages?: readonly AnswerOf<typeof endpoints.listRuns>[] }>({
    queryKey: ['runs'],
  })
  const rows = lists.flatMap(([, data]) => data?.pages?.flatMap((page) => page.runs) ?? [])
  const runs = [...new Map(rows.map((row) => [row.run_id, row])).values()].slice(0, 2000).map(
    (row): Command => ({
      id: `run ${row.run_id}`,
      name: plainText(`${row.workflow} · ${row.state}`, 80),
      hint: `${row.status} · ${row.run_id}`,
      act: () => void navigate({ to: '/runs/$runId', params: { runId: row.run_id } }),
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
  return [...goTo, ...approvals, open, ...themes, ...runs]
}
