import { useLayoutEffect, useRef } from 'react'

/** What a key does: `a`, `Escape`, `g r` (one after the other), `mod+k` (ctrl, or cmd). */
export type Hotkeys = Readonly<Record<string, () => void>>

/** The newest comes first: a page may give a key another meaning than its surroundings do. */
const listeners: { current: Hotkeys }[] = []
const sequenceMs = 1500
let begunAt = 0

/**
 * Keys of whatever is on screen. They are silent while somebody types or a dialog is open: an "a"
 * in a reason must not approve anything.
 */
export function useHotkeys(keys: Hotkeys): void {
  const current = useRef(keys)
  current.current = keys
  // Before it is drawn: who sees a key's hint may press the key at once.
  useLayoutEffect(() => {
    if (listeners.length === 0) addEventListener('keydown', onKey)
    listeners.unshift(current)
    return () => {
      listeners.splice(listeners.indexOf(current), 1)
      if (listeners.length === 0) removeEventListener('keydown', onKey)
    }
  }, [])
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.repeat || event.altKey) return
  const hasMod = event.ctrlKey || event.metaKey
  // The path, not the target: the editor lives in a shadow, and the target is its outermost box.
  const target = event.composedPath()[0]
  if (!hasMod && (isTyping(target) || isDialogOpen())) return
  // Enter on a link or a button is theirs: the page would open something else, or nothing.
  if (event.key === 'Enter' && isPressed(target)) return
  const isSecond = !hasMod && Date.now() - begunAt < sequenceMs
  begunAt = !hasMod && event.key === 'g' ? Date.now() : 0
  const plain = hasMod ? `mod+${event.key.toLowerCase()}` : event.key
  const name = isSecond ? `g ${plain}` : plain
  for (const { current } of listeners) {
    const act = Object.hasOwn(current, name) ? current[name] : undefined
    if (act === undefined) continue
    event.preventDefault()
    act()
    return
  }
}

/** What people call the key that goes with a letter. */
export function modKey(): string {
  return navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'
}

function isTyping(target: EventTarget | undefined): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}

function isPressed(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.closest('a[href], button, summary') !== null
}

function isDialogOpen(): boolean {
  // A toast calls itself a dialog as well, but takes no keys.
  return document.querySelector(':is([role="dialog"], [role="alertdialog"]):not(.toast)') !== null
}
