import { Fragment } from 'react'
import { Modal } from '../ui/dialogs/dialog.tsx'
import { type KeyLine, keyGroups } from './key-list.ts'

/** Which keys there are, by where they work. */
export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal isOpen isWide onClose={onClose} title="Keyboard shortcuts">
      <div className="key-groups">
        {keyGroups.map(({ title, lines }) => (
          <section key={title} className="key-group">
            <h3>{title}</h3>
            <dl>
              {lines.map((line) => (
                <div key={line.does}>
                  <dt>{line.does}</dt>
                  <dd>
                    <Keys line={line} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

function Keys({ line }: { readonly line: KeyLine }) {
  return line.keys.map((way, at) => (
    <Fragment key={way.join(' ')}>
      {at === 0 ? null : ' '}
      {way.map((one, step) => (
        <Fragment key={one}>
          {step === 0 ? null : <span className="soft"> then </span>}
          <kbd>{one}</kbd>
        </Fragment>
      ))}
    </Fragment>
  ))
}
