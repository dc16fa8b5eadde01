import type { TriedCall } from '../model/play.ts'
import { element } from './element.ts'

const firstInput = '{ "command": "npm test" }'

/** The form that tries a tool call. It is drawn once, so that what was typed stays. */
export function drawCallForm(tryCall: (tried: TriedCall) => void): HTMLFormElement {
  const tool = element('input', { class: 'code', name: 'tool', value: 'Bash' })
  const input = element('textarea', { name: 'input', rows: '3' }, firstInput)
  const works = element('input', { type: 'checkbox', name: 'works', checked: true })
  const fault = element('p', { class: 'bad', role: 'alert' })
  const form = element(
    'form',
    {},
    element('label', {}, 'Tool', tool),
    element('label', {}, 'Input (JSON)', input),
    element(
      'div',
      { class: 'row' },
      element('button', { type: 'submit' }, 'Try the call'),
      element('label', { class: 'row' }, works, 'its result is a success'),
    ),
    fault,
  )
  form.addEventListener('submit', (submitted) => {
    submitted.preventDefault()
    const read = readJson(input.value)
    fault.textContent = read.ok ? '' : 'The input is no JSON.'
    if (!read.ok) return
    const exit = works.checked ? 'success' : 'failure'
    tryCall({ tool: tool.value, input: read.value, exit })
  })
  return form
}

function readJson(text: string): { ok: true; value: unknown } | { ok: false } {
  if (text.trim() === '') return { ok: true, value: {} }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}
