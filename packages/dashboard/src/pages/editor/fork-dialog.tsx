import { useState } from 'react'
import { addFork, type ForkBranch } from '../../model/text/draw-text.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import { ChoiceField } from './fields.tsx'

const what =
  'Each branch runs from its first state to its last one, which becomes final. ' +
  'When they have joined, the run continues.'

/** Branches that are worked at the same time, and where they meet again. */
export function ForkDialog(props: {
  readonly state: string
  readonly states: readonly string[]
  readonly currentText: () => string
  readonly onText: (text: string) => void
  readonly onClose: () => void
}) {
  const { state, states, currentText, onText, onClose } = props
  const others = states.filter((name) => name !== state)
  const form = useForkForm(others)
  const [isRefused, setRefused] = useState(false)
  const submit = () => {
    const edited = addFork(currentText(), state, form.fork)
    setRefused(edited === null)
    if (edited === null) return
    onText(edited)
    onClose()
  }
  return (
    <Modal isOpen onClose={onClose} title={`Fork ${plainText(state, 60)}`} description={what}>
      <form
        className="stack"
        onSubmit={(submitted) => {
          submitted.preventDefault()
          if (form.isReady) submit()
        }}
      >
        <ForkFields {...form} states={others} />
        {isRefused ? (
          <p className="note bad" role="alert">
            The text cannot be changed there. Write the fork in the text.
          </p>
        ) : null}
        <div className="actions">
          <button type="button" className="button quiet" onClick={form.addBranch}>
            Add a branch
          </button>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!form.isReady}>
            Fork
          </button>
        </div>
      </form>
    </Modal>
  )
}

type Fork = Parameters<typeof addFork>[2]

function useForkForm(states: readonly string[]) {
  const first = states[0] ?? ''
  const [fork, setFork] = useState<Fork>({
    event: 'SPLIT',
    branches: ['one', 'two'].map((name) => ({ name, initial: first, terminal: first })),
    join: 'all',
    onComplete: first,
  })
  const { branches, event } = fork
  const names = new Set(branches.map(({ name }) => name.trim()))
  const isNamed = names.size === branches.length && !names.has('')
  const set = (fields: Partial<Fork>) => setFork({ ...fork, ...fields })
  return {
    fork,
    set,
    isReady: first !== '' && event.trim() !== '' && isNamed,
    setBranch: (at: number, fields: Partial<ForkBranch>) =>
      set({ branches: branches.map((one, index) => (index === at ? { ...one, ...fields } : one)) }),
    addBranch: () => {
      const name = `branch_${branches.length + 1}`
      set({ branches: [...branches, { name, initial: first, terminal: first }] })
    },
  }
}

function ForkFields(
  props: ReturnType<typeof useForkForm> & { readonly states: readonly string[] },
) {
  const { fork, set, setBranch, states } = props
  return (
    <>
      <label className="field">
        <span>Event</span>
        <input value={fork.event} onChange={(typed) => set({ event: typed.target.value })} />
      </label>
      {fork.branches.map((branch, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names are being typed.
        <fieldset key={index} className="field-grid choices">
          <legend className="visually-hidden">Branch {index + 1}</legend>
          <label className="field">
            <span>Branch</span>
            <input
              value={branch.name}
              onChange={(typed) => setBranch(index, { name: typed.target.value })}
            />
          </label>
          <ChoiceField
            label="First state"
            value={branch.initial}
            options={states}
            onSet={(initial) => setBranch(index, { initial })}
          />
          <ChoiceField
            label="Last state"
            value={branch.terminal}
            options={states}
            onSet={(terminal) => setBranch(index, { terminal })}
          />
        </fieldset>
      ))}
      <div className="field-grid">
        <ChoiceField
          label="Wait for"
          value={fork.join}
          options={['all', 'any']}
          onSet={(join) => set({ join: join === 'any' ? 'any' : 'all' })}
        />
        <ChoiceField
          label="Then go to"
          value={fork.onComplete}
          options={states}
          onSet={(onComplete) => set({ onComplete })}
        />
      </div>
    </>
  )
}
