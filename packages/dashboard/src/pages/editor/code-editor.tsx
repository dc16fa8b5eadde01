import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  undo,
} from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Finding } from '@statewright/core/internal'
import { type RefObject, useEffect, useRef } from 'react'
import { offersAt } from '../../model/text/complete.ts'
import { isJsonText } from '../../model/text/edit-text.ts'
import type { TextSpan } from '../../model/text/offsets.ts'
import { OwnEchoes } from '../../model/text/own-echoes.ts'
import { editorLook } from './editor-look.ts'
import { languageOf, openView } from './shadow-view.ts'

/** What the page around the editor can ask of it. */
export interface EditorCallbacks {
  /** Selects a part; the keyboard goes there as well, unless it is told to stay. */
  readonly goTo: (span: TextSpan, options?: { readonly isQuiet: boolean }) => void
  /** Takes back the newest change, wherever it was made. */
  readonly undo: () => void
  readonly redo: () => void
}

interface CodeEditorProps {
  readonly text: string
  readonly label: string
  readonly findings: readonly Finding[]
  readonly schema: unknown
  readonly callbacks: RefObject<EditorCallbacks | null>
  readonly onChange: (text: string) => void
  readonly onCursor: (offset: number) => void
  readonly onSave: () => void
}

/** A definition as text, with findings at their lines and offers from the schema. */
export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const newest = useRef(props)
  newest.current = props
  const echoes = useRef(new OwnEchoes())
  useEffect(() => {
    if (host.current === null) return undefined
    const opened = openView(host.current, editorState(newest, echoes.current))
    view.current = opened
    newest.current.callbacks.current = {
      goTo: (span, options) => goTo(opened, span, options?.isQuiet === true),
      undo: () => undo(opened),
      redo: () => redo(opened),
    }
    return () => {
      opened.destroy()
      view.current = null
    }
  }, [])
  useEffect(() => {
    if (view.current === null || echoes.current.isEcho(props.text)) return
    takeText(view.current, props.text)
  }, [props.text])
  useEffect(() => {
    const { current } = view
    if (current === null) return
    current.dispatch(setDiagnostics(current.state, diagnostics(current.state, props.findings)))
  }, [props.findings])
  return <div ref={host} className="code-editor" />
}

const language = new Compartment()
const fromOutside = Annotation.define<boolean>()

const attributes = { 'aria-description': 'Escape and then Tab leaves the text.', tabindex: '0' }

function editorState(newest: RefObject<CodeEditorProps>, echoes: OwnEchoes): EditorState {
  const { text, label } = newest.current
  return EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      language.of(languageOf(text)),
      autocompletion({
        icons: false,
        override: [
          (context) => {
            const { state, pos, explicit } = context
            if (!explicit && context.matchBefore(/[\w$"[{( ,:.!-]$/) === null) return null
            const found = offersAt(newest.current.schema, state.doc.toString(), pos)
            if (found === null) return null
            return {
              from: found.from,
              options: found.offers.map(({ label, detail, insert }) => ({
                label,
                detail,
                apply: insert,
              })),
              validFor: found.within,
            }
          },
        ],
      }),
      keymap.of([
        {
          key: 'Mod-s',
          run: () => {
            newest.current.onSave()
            return true
          },
        },
        ...defaultKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        // Escape and then Tab leaves the editor by keyboard.
        indentWithTab,
      ]),
      EditorView.contentAttributes.of({ ...attributes, 'aria-label': label }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          const now = update.state.doc.toString()
          if (isJsonText(now) !== isJsonText(update.startState.doc.toString())) {
            const effects = language.reconfigure(languageOf(now))
            queueMicrotask(() => update.view.dispatch({ effects }))
          }
          if (!update.transactions.some((one) => one.annotation(fromOutside))) echoes.tell(now)
          newest.current.onChange(now)
        }
        if (update.docChanged || update.selectionSet) {
          newest.current.onCursor(update.state.selection.main.head)
        }
      }),
      editorLook,
    ],
  })
}

/** Takes a text from outside by changing only what differs: cursor and undo stay useful. */
function takeText(view: EditorView, text: string): void {
  const now = view.state.doc.toString()
  if (now === text) return
  let from = 0
  while (from < now.length && now[from] === text[from]) from += 1
  let end = 0
  const max = Math.min(now.length, text.length) - from
  while (end < max && now[now.length - 1 - end] === text[text.length - 1 - end]) end += 1
  const insert = text.slice(from, text.length - end)
  // One change made elsewhere is one step back.
  const annotations = [fromOutside.of(true), isolateHistory.of('full')]
  view.dispatch({ changes: { from, to: now.length - end, insert }, annotations })
}

function goTo(view: EditorView, { from, to }: TextSpan, isQuiet: boolean): void {
  const length = view.state.doc.length
  const anchor = Math.min(from, length)
  const end = Math.min(to, view.state.doc.lineAt(anchor).to)
  view.dispatch({
    selection: { anchor, head: anchor },
    effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 60 }),
  })
  view.dispatch({ selection: { anchor, head: Math.max(anchor, end) } })
  if (!isQuiet) view.focus()
}

function diagnostics(state: EditorState, findings: readonly Finding[]): Diagnostic[] {
  return findings.map(({ line = 1, column = 1, severity, code, message }) => {
    const at = state.doc.line(Math.min(Math.max(1, line), state.doc.lines))
    const from = Math.min(at.from + column - 1, at.to)
    const word = /^[^\s:,#]+/.exec(state.sliceDoc(from, at.to))?.[0].length ?? 0
    return {
      from,
      to: Math.min(from + Math.max(1, word), at.to),
      severity,
      message: `${code}: ${message}`,
    }
  })
}
