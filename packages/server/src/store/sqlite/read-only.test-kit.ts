// Opens a store on a file system that refuses every write, and says what came of it.
import { StoreFault } from '../store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const [folder = ''] = process.argv.slice(2)
try {
  await openSqliteStore({ folder })
  process.stdout.write('opened')
} catch (error) {
  process.stdout.write(error instanceof StoreFault ? error.reason : String(error))
}
