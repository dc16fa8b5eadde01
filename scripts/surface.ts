// Writes what the outside can see of us: schema/*.api.md with the names and signatures of our
// packages, schema/pins.txt with everything else. Tests compare them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pinnedText } from './surface/pins.ts'
import { reports, surfaceReport } from './surface/report.ts'

const write = (name: string, text: string) => {
  writeFileSync(join(import.meta.dirname, '..', 'schema', name), text)
  process.stdout.write(`schema/${name}\n`)
}

for (const [name, entries] of Object.entries(reports)) write(name, surfaceReport(entries))
write('pins.txt', await pinnedText())
