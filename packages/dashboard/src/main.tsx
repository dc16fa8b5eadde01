import './no-eval.ts'
import '@fontsource-variable/inter/wght.css'
import './ui/theme/font/font.css'
import './ui/theme/theme.css'
import './ui/theme/parts.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { applyTheme, storedTheme } from './ui/theme/theme.ts'

applyTheme(storedTheme())
const root = document.getElementById('app')
if (root !== null) createRoot(root).render(<App />)
