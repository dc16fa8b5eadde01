import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import type { EditorState, Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { isJsonText } from '../../model/text/edit-text.ts'

/**
 * Opens a text view inside a shadow. There the editor hands its styles to the browser as a sheet
 * object; in the page itself it would write a style element, which our content policy forbids.
 */
export function openView(host: HTMLElement, state: EditorState): EditorView {
  const shadow = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  return new EditorView({ state, parent: shadow, root: shadow })
}

export function languageOf(text: string): Extension {
  return isJsonText(text) ? json() : yaml()
}
