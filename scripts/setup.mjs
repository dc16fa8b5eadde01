// Installs what the lock file names, unless that has been done already. It runs on whatever Node
// the machine has, so it is plain JavaScript and imports nothing that must be installed first.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules', '.statewright-setup')
const requested = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === requested

if (!isCurrent) {
  process.stderr.write('Installing dependencies (first time: a minute or two)\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const install = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) {
    process.stderr.write('setup_failed: npm ci did not finish.\n  in: package-lock.json\n')
    process.stderr.write(
      '  next: check the network and run the command again. For certificates and proxies\n' +
        '    of a company, see docs/guide/installation.md.\n',
    )
    process.exit(1)
  }
  const node = spawnSync(join(root, 'node_modules', 'node', 'bin', 'node'), ['--version'])
  // Slim systems are without a library that the Node of the repository needs.
  if (node.status === 127 && String(node.stderr).includes('libatomic')) {
    process.stderr.write(
      'setup_failed: The Node of this repository needs libatomic, which is missing.\n',
    )
    process.stderr.write(
      '  next: install it (Debian, Ubuntu: "apt install libatomic1") and try again.\n',
    )
    process.exit(1)
  }
  writeFileSync(stamp, requested)
}
