import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { editorLook } from './editor-look.ts'
import { languageOf, openView } from './shadow-view.ts'

/** What changed from one text to another, with the lines around it. */
export function TextDiff(props: {
  readonly before: string
  readonly after: string
  readonly label: string
}) {
  const { before, after, label } = props
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    const isChanged = before !== after
    const state = EditorState.create({
      doc: after,
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        languageOf(after),
        EditorState.readOnly.of(true),
        EditorView.editable.of(false),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        isChanged
          ? unifiedMergeView({
              original: before,
              mergeControls: false,
              gutter: true,
              collapseUnchanged: { margin: 2, minSize: 4 },
            })
          : [],
        editorLook,
      ],
    })
    const view = openView(host.current, state)
    return () => view.destroy()
  }, [before, after, label])
  return <div ref={host} className="text-diff" />
}
