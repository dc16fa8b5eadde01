import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

/** A name that is typed right in the picture. Enter and leaving keep it, Escape does not. */
export function NameField(props: {
  readonly label: string
  readonly value: string
  readonly onDone: (name: string | null) => void
}) {
  const { label, value, onDone } = props
  const [name, setName] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const end = (result: string | null) => {
    if (isOver.current) return
    isOver.current = true
    onDone(result === null || result.trim() === '' ? null : result.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of the picture and the page are letters here.
    event.stopPropagation()
    if (event.key === 'Enter') end(name)
    else if (event.key === 'Escape') end(null)
    else return
    event.preventDefault()
  }
  return (
    <input
      ref={field}
      className="name-field nopan nodrag"
      aria-label={label}
      value={name}
      size={Math.max(6, name.length)}
      onChange={(event) => setName(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={() => end(name)}
    />
  )
}
