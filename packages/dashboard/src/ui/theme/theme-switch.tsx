import { useState } from 'react'
import { applyTheme, storedTheme, type Theme } from './theme.ts'

const themes: readonly { readonly name: Theme; readonly word: string }[] = [
  { name: 'system', word: 'System' },
  { name: 'light', word: 'Light' },
  { name: 'dark', word: 'Dark' },
]

export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  const choose = (name: Theme) => {
    applyTheme(name)
    setTheme(name)
  }
  return (
    <fieldset className="choices">
      <legend className="visually-hidden">Theme</legend>
      <div className="row">
        {themes.map(({ name, word }) => (
          <button
            key={name}
            type="button"
            aria-pressed={theme === name}
            className={theme === name ? 'button is-on' : 'button'}
            onClick={() => choose(name)}
          >
            {word}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
