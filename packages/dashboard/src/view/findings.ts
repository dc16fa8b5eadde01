import type { Finding } from '@statewright/core'
import { element } from './element.ts'

/** The findings below the editor; choosing one puts the cursor at its place. */
export function drawFindings(
  findings: readonly Finding[],
  goTo: (line: number, column: number) => void,
): HTMLElement {
  if (findings.length === 0) {
    return element('p', { class: 'good' }, 'No findings: the definition can be used.')
  }
  const items = findings.map((finding) => drawFinding(finding, goTo))
  return element('ul', { class: 'list' }, ...items)
}

function drawFinding(
  finding: Finding,
  goTo: (line: number, column: number) => void,
): HTMLLIElement {
  const { line = 1, column = 1 } = finding
  const place = element('button', { type: 'button', class: 'place' }, `${line}:${column}`)
  place.addEventListener('click', () => goTo(line, column))
  const tone = finding.severity === 'error' ? 'bad' : 'wait'
  const kind = element('strong', { class: tone }, `${finding.severity} ${finding.code}`)
  return element('li', {}, place, ' ', kind, ` ${finding.message}`)
}
