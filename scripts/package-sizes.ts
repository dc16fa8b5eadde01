// Says how large the packages are that `npm run build` made, and what is in them.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const build = join(dirname(fileURLToPath(import.meta.url)), '..', 'build')

for (const name of ['core', 'server']) {
  const folder = join(build, name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const archive = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => ({ path, facts: statSync(join(folder, path)) }))
    .filter(({ facts }) => facts.isFile())
  const total = files.reduce((sum, { facts }) => sum + facts.size, 0)
  const packed = statSync(join(build, archive)).size
  process.stdout.write(`${archive}: ${kilobytes(packed)} packed, ${kilobytes(total)} unpacked\n`)
  const segments = Map.groupBy(files, ({ path }) => path.split('/')[0] ?? path)
  for (const [segment, inside] of segments) {
    const size = inside.reduce((sum, { facts }) => sum + facts.size, 0)
    const count = `${inside.length} file${inside.length === 1 ? '' : 's'}`
    process.stdout.write(`  ${segment.padEnd(14)} ${kilobytes(size).padStart(9)}  ${count}\n`)
  }
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`
}
