import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { build, type Plugin } from 'vite'

/** Put into our files, since it is a file for each of its classes and only we use it. */
const bundled = ['kysely']

/**
 * Puts the command line and the server into a few files, since finding, reading and linking more
 * than a thousand takes longer than all else that a start does. The library (`sdk`) stays as it
 * is: who uses it beside `@statewright/core` must not get a second copy of that.
 */
export async function bundleProgram(options: {
  /** The compiled server, `dist` of its package. */
  readonly dist: string
  readonly modules: string
}): Promise<void> {
  const { dist, modules } = options
  const program = join(dist, 'program')
  await build({
    root: dirname(dist),
    configFile: false,
    logLevel: 'error',
    plugins: [pathsAsBefore(dist, program)],
    resolve: { alias: coreOf(join(dist, '..', '..', 'core', 'dist')) },
    ssr: { noExternal: [...bundled, /^@statewright\/core/] },
    build: {
      ssr: join(dist, 'cli', 'main.js'),
      outDir: program,
      emptyOutDir: true,
      minify: false,
      target: 'node22',
      rolldownOptions: {
        output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
  for (const name of bundled) {
    copyFileSync(join(modules, name, 'LICENSE'), join(program, `LICENSE-${name}`))
  }
  removeUnused(dist, program)
}

function coreOf(core: string): { find: RegExp; replacement: string }[] {
  return [
    { find: /^@statewright\/core\/internal$/, replacement: join(core, 'internal.js') },
    { find: /^@statewright\/core\/wire$/, replacement: join(core, 'wire', 'index.js') },
    { find: /^@statewright\/core\/shell$/, replacement: join(core, 'shell', 'index.js') },
    { find: /^@statewright\/core$/, replacement: join(core, 'index.js') },
  ]
}

/** A file that looks for others beside itself still looks where it was before. */
function pathsAsBefore(dist: string, program: string): Plugin {
  return {
    name: 'paths-as-before',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(dist + sep) || !code.includes('import.meta.')) return null
      const file = JSON.stringify(relative(program, id))
      const folder = JSON.stringify(relative(program, dirname(id)))
      const changed = code
        .replaceAll('import.meta.dirname', `__join(import.meta.dirname, ${folder})`)
        .replaceAll('import.meta.url', `new URL(${file}, import.meta.url).href`)
      return { code: `import { join as __join } from 'node:path'\n${changed}`, map: null }
    },
  }
}

const ownImport = /(?:\bfrom|\bimport|\bimport\(|new URL\()\s*'(\.{1,2}\/[^']+\.js)'/g

/** What neither the library nor a thread of its own loads is in the program now. */
function removeUnused(dist: string, program: string): void {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(dist, name))
    .filter((file) => !file.startsWith(program))
  const isWorker = (file: string) => file.endsWith('-worker.js')
  const used = new Set([join(dist, 'sdk', 'sdk.js'), ...files.filter(isWorker)])
  for (const file of used) {
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(ownImport)) {
      used.add(resolve(dirname(file), path))
    }
  }
  // Types stay: those of the library name types of files that it does not load.
  for (const file of files.filter((one) => !used.has(one))) rmSync(file)
}
