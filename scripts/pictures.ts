// Draws the diagrams of the guide into docs/images, from the definitions on its pages.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pictures } from './pictures/all.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))
for (const [name, text] of await pictures()) writeFileSync(join(folder, name), text)
