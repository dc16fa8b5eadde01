import { useState } from 'react'
import { type Simulation, scenarioText } from '../../model/simulator/simulation.ts'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { ForeignBlock } from '../../ui/values/foreign-text.tsx'

/** What was tried, as a scenario file to keep beside the definition. */
export function ScenarioDialog(props: {
  readonly simulation: Simulation
  readonly name: string
  readonly onClose: () => void
}) {
  const { simulation, name, onClose } = props
  const [title, setTitle] = useState('what was tried in the dashboard')
  const text = scenarioText(simulation, title, `${name}.yaml`)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast('good', 'Copied')
    } catch {
      toast('bad', 'The browser does not allow copying', 'Select the text and copy it yourself.')
    }
  }
  return (
    <Modal
      isOpen
      onClose={onClose}
      title="A scenario of what you tried"
      description={
        <>
          Keep it beside the definition; <code>statewright workflow test</code> plays it.
        </>
      }
    >
      <label className="field">
        <span>What it shows</span>
        <input value={title} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <ForeignBlock value={text} label="Scenario" />
      <div className="actions">
        <button type="button" className="button" onClick={() => void copy()}>
          Copy
        </button>
        <button
          type="button"
          className="button"
          onClick={() => download(`${name}.scenarios.yaml`, text)}
        >
          Download
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </Modal>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
