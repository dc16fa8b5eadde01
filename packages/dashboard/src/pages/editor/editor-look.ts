import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const selected = { backgroundColor: 'color-mix(in srgb, var(--accent) 26%, transparent)' }

/**
 * The look of every text view. Colours are those of the dashboard, which reach into the shadow by
 * inheritance. Pictures in `data:` addresses, which the editor's own look has for findings, are
 * put out: our content policy forbids them.
 */
const look = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'transparent', fontSize: '13px', height: '100%' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    color: 'var(--soft)',
    backgroundColor: 'var(--panel)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { ...selected },
  '.cm-selectionBackground, .cm-content ::selection': { ...selected },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'color-mix(in srgb, var(--good) 22%, transparent)',
    color: 'inherit',
  },
  '.cm-state-line': { backgroundColor: 'var(--accent-ground)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-foldPlaceholder': {
    color: 'var(--soft)',
    backgroundColor: 'var(--hover)',
    borderColor: 'var(--line)',
  },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
    maxWidth: '34rem',
    overflowWrap: 'anywhere',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--on-accent)',
    backgroundColor: 'var(--accent)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal', opacity: '0.8' },
  '.cm-panels': {
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    borderColor: 'var(--line)',
  },
  '.cm-panels input, .cm-panels button': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    backgroundImage: 'none',
    border: '1px solid var(--strong-line)',
  },
  '.cm-lintRange': { backgroundImage: 'none', textDecorationThickness: '1.5px' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--wait)',
  },
  '.cm-lintRange-active': { backgroundColor: 'var(--bad-ground)' },
  '.cm-lint-marker': { fontSize: '0.8em', fontWeight: '700', textAlign: 'center' },
  '.cm-lint-marker-error': { content: '"✕"', color: 'var(--bad)' },
  '.cm-lint-marker-warning': { content: '"△"', color: 'var(--wait)' },
  '.cm-diagnostic': { padding: '0.3rem 0.6rem' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--wait)' },
  '.cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--good-ground)' },
  '.cm-deletedChunk, &.cm-merge-a .cm-changedLine': { backgroundColor: 'var(--bad-ground)' },
  '.cm-insertedLine, &.cm-merge-b .cm-insertedLine': {
    background: 'transparent',
    textDecoration: 'none',
  },
  '.cm-changedText, &.cm-merge-b .cm-changedText': {
    background: 'color-mix(in srgb, var(--good) 13%, transparent)',
    textDecoration: 'none',
  },
  '.cm-deletedChunk .cm-deletedText, .cm-deletedText': {
    background: 'color-mix(in srgb, var(--bad) 13%, transparent)',
  },
  '.cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '.cm-collapsedLines': {
    color: 'var(--soft)',
    background: 'var(--panel)',
    padding: '0.15rem 0.6rem',
  },
  '.cm-collapsedLines:before': { content: '"⋯"' },
  '.cm-collapsedLines:after': { content: '"⋯"' },
})

const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--wait)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--soft)' },
  { tag: tags.invalid, color: 'var(--bad)' },
])

export const editorLook: Extension = [look, syntaxHighlighting(highlight)]
