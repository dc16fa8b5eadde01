export type Theme = 'system' | 'light' | 'dark'

const key = 'statewright-theme'

/** The person's choice; storage may be shut off, and then the system's choice holds. */
export function storedTheme(): Theme {
  try {
    const word = localStorage.getItem(key)
    return word === 'light' || word === 'dark' ? word : 'system'
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(key)
    else localStorage.setItem(key, theme)
  } catch {
    // Not kept: it holds for this page only.
  }
}
