import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, wraps, writes } from './shape.ts'

const exec = { does: 'run' as const, style: 'posix' as const, wraps: {} }
const npmGlobal =
  '--prefix: -C: -w: --workspace: --registry: --userconfig: --loglevel: --cache: --tag: --dir:'
const npmExec = {
  ...exec,
  options: { run: '-c: --call:', flag: '-p: --package: -w: --workspace: -y --yes --no -q' },
}
const scriptOptions = {
  program: '--script-shell: --shell: --git:',
  code: '--node-options: --userconfig: --globalconfig:',
}
const dryRun = { options: { quiet: '--dry-run' } }

/** Package managers: asking is reading, running a script passes, the rest changes the project. */
export const packages: readonly ProgramEntry[] = [
  changes('npm', 'does_changes_project_registry', {
    bare: 'read',
    options: { flag: npmGlobal },
    sub: {
      ...all('ls list ll la view info show v outdated search s find help', 'read'),
      ...all(
        'explain why fund ping whoami query root prefix bin doctor help-search completion',
        'read',
      ),
      ...all('test t tst start stop restart', 'pass', { options: scriptOptions }),
      'run run-script rum urn': { does: 'pass', reader: 'npm-run', options: scriptOptions },
      audit: { does: 'read', changeOperand: '^fix$', options: { change: '--fix' } },
      pkg: { does: 'change', sub: all('get', 'read') },
      'config c': { does: 'change', sub: all('get list ls', 'read') },
      cache: { does: 'change', sub: all('ls', 'read') },
      version: { does: 'change', bare: 'read', ...dryRun },
      'dist-tag dist-tags': { does: 'change', sub: all('ls list', 'read') },
      ...all('get', 'read'),
      pack: { does: 'write', why: phrase('does_writes_package_file'), ...dryRun },
      'publish install i add ci': { does: 'change', ...dryRun },
      'exec x': npmExec,
    },
  }),
  wraps('npx bunx pnpx', npmExec),
  passes('yarn yarnpkg', {
    bare: 'change',
    why: phrase('does_changes_project'),
    options: { flag: '--cwd: --registry: --cache-folder:', quiet: '-v' },
    sub: {
      ...all('why list info outdated versions help licenses audit', 'read'),
      ...all(
        'add install remove up upgrade upgrade-interactive init publish link unlink',
        'change',
      ),
      ...all(
        'pack import set dedupe rebuild autoclean policies plugin patch unplug create',
        'change',
      ),
      ...all('cache global owner tag team login logout version generate-lock-entry', 'change'),
      config: { does: 'change', bare: 'read', sub: all('get list', 'read') },
      workspaces: { does: 'pass', sub: all('info list', 'read') },
      run: { does: 'pass', reader: 'npm-run' },
      'exec dlx': exec,
      node: { does: 'pass', reader: 'javascript' },
    },
  }),
  passes('pnpm', {
    bare: 'read',
    why: phrase('does_changes_project'),
    options: { flag: `${npmGlobal} --filter: -F: -r --recursive` },
    sub: {
      ...all('ls list ll la why outdated root bin help licenses view info audit', 'read'),
      ...all(
        'add install i remove rm uninstall un update up upgrade link ln unlink import',
        'change',
      ),
      ...all(
        'rebuild rb prune publish pack patch patch-commit deploy dedupe init create',
        'change',
      ),
      ...all('setup env server fetch install-test it self-update', 'change'),
      config: { does: 'change', sub: all('get list', 'read') },
      store: { does: 'change', sub: all('path status', 'read') },
      'run run-script': { does: 'pass', reader: 'npm-run' },
      'exec dlx': { ...exec, options: { flag: '--package: -c --shell-mode' } },
    },
  }),
  passes('bun', {
    reader: 'javascript',
    sub: {
      ...all('add a install i ci remove rm update link unlink init create c upgrade', 'change', {
        why: phrase('does_changes_project'),
      }),
      ...all('publish patch pm build', 'change', { why: phrase('does_changes_files') }),
      ...all('outdated why', 'read'),
      run: { does: 'pass', reader: 'npm-run' },
      x: exec,
    },
  }),
  passes('deno', {
    bare: 'read',
    sub: {
      ...all('test lint check info doc types task bench', 'pass'),
      ...all('install uninstall add remove i compile bundle cache init', 'change'),
      ...all('upgrade publish vendor jupyter deploy clean', 'change', {
        why: phrase('does_changes_files'),
      }),
      fmt: { does: 'write', why: phrase('does_rewrites_files'), options: { quiet: '--check' } },
      eval: { does: 'pass', reader: 'javascript-operand' },
      ...all('run serve repl', 'pass'),
    },
  }),
  changes('pip pip3 pip2 pip3.11 pip3.12 pip3.13', 'does_changes_installed_packages', {
    bare: 'read',
    sub: {
      ...all('list show freeze check search index debug inspect hash help', 'read'),
      config: { does: 'change', sub: all('list get debug', 'read') },
      cache: { does: 'change', sub: all('list info dir', 'read') },
      ...all('download wheel', 'write', { why: phrase('does_saves_files') }),
      install: { does: 'change', ...dryRun },
    },
  }),
  changes('pipx', 'does_changes_installed_packages', {
    sub: { ...all('list', 'read'), run: exec },
  }),
  changes('uv', 'does_changes_project', {
    bare: 'read',
    options: { flag: '--directory: --project: --python: -p:' },
    sub: {
      ...all('tree version help', 'read'),
      pip: { does: 'change', sub: all('list show freeze check tree', 'read') },
      python: { does: 'change', sub: all('list find dir', 'read') },
      tool: { does: 'change', sub: { ...all('list dir', 'read'), run: exec } },
      cache: { does: 'change', sub: all('dir', 'read') },
      run: {
        ...exec,
        options: {
          flag:
            '--with: --python: -p: --extra: --group: --env-file: --project: --directory: ' +
            '-m: --module: -s: --script: --package: --only-group:',
        },
      },
    },
  }),
  wraps('uvx', { options: { flag: '--from: --with: --python: -p:' } }),
  changes('poetry pdm hatch rye pixi', 'does_changes_project', {
    bare: 'read',
    sub: {
      ...all('show check search about list info', 'read'),
      run: exec,
      env: { does: 'change', sub: all('info list', 'read') },
      version: { does: 'change', bare: 'read' },
    },
  }),
  changes('pipenv', 'does_changes_project', {
    bare: 'read',
    sub: { ...all('graph check', 'read'), run: exec },
  }),
  changes('conda mamba micromamba', 'does_changes_environments', {
    bare: 'read',
    sub: {
      ...all('list info search', 'read'),
      env: { does: 'change', sub: all('list', 'read') },
      config: { does: 'change', options: { quiet: '--show --show-sources' } },
      run: { ...exec, options: { flag: '-n: --name: -p: --prefix: --cwd:' } },
    },
  }),
  changes('gem', 'does_changes_installed_gems', {
    bare: 'read',
    sub: all('list search info environment contents dependency which specification help', 'read'),
  }),
  changes('bundle bundler', 'does_changes_project', {
    sub: { ...all('list show info check outdated platform doctor', 'read'), exec },
  }),
  changes('composer', 'does_changes_project', {
    bare: 'read',
    sub: {
      ...all(
        'show info outdated validate diagnose licenses depends prohibits search audit',
        'read',
      ),
      ...all('status suggests check-platform-reqs about help list why why-not', 'read'),
      ...all('run-script run test exec', 'pass'),
    },
  }),
  changes('apt apt-get aptitude', 'does_changes_installed_packages', {
    options: { quiet: '-s --simulate --dry-run --just-print' },
    sub: all('list show search policy depends rdepends changelog help', 'read'),
  }),
  reads('apt-cache apt-file dpkg-query'),
  changes('dpkg', 'does_changes_installed_packages', {
    options: {
      quiet:
        '-l -L -s -S -p -I -c --list --listfiles --status --search --info --contents ' +
        '--get-selections --print-architecture --audit -C --compare-versions',
    },
  }),
  changes('rpm', 'does_changes_installed_packages', {
    options: { quiet: '-q --query -V --verify --eval:' },
  }),
  changes('yum dnf microdnf zypper', 'does_changes_installed_packages', {
    sub: all('list info search repolist provides check-update history deplist repoquery', 'read'),
  }),
  changes('apk', 'does_changes_installed_packages', {
    sub: all('info list search policy stats dot', 'read'),
  }),
  changes('pacman yay paru', 'does_changes_installed_packages', {
    options: { quiet: '-Q -Qs -Qi -Ql -Qo -Ss -Si -F -T --query' },
  }),
  changes('brew port', 'does_changes_installed_packages', {
    bare: 'read',
    sub: all(
      'list ls info search outdated config doctor deps leaves uses desc home --prefix',
      'read',
    ),
    options: { quiet: '--prefix --cellar --repository --cache --env' },
  }),
  changes('snap flatpak choco winget scoop', 'does_changes_installed_packages', {
    readOperand: '^(?:list|info|find|search|show)$',
  }),
  changes('nix-env', 'does_changes_installed_packages', { options: { quiet: '-q --query' } }),
  changes('nix', 'does_changes_store', {
    sub: {
      ...all('search eval log show-config why-depends path-info', 'read'),
      ...all('run develop shell', 'opaque'),
      flake: { does: 'change', sub: all('show metadata info check', 'read') },
    },
  }),
  changes('opam luarocks cpan cpanm cabal-install', 'does_changes_installed_packages', {
    readOperand: '^(?:list|show|search|info|config)$',
    options: { quiet: '-v -l -D' },
  }),
  changes('apt-mark apt-key', 'does_changes_installed_packages', {
    readOperand: '^(?:show.*|list|finger)$',
  }),
  changes('add-apt-repository corepack apt-add-repository', 'does_changes_installed_packages'),
  changes('virtualenv', 'does_makes_environment'),
  changes('pre-commit husky lefthook', 'does_changes_hooks_repository', {
    sub: { ...all('run', 'pass'), ...all('validate-config validate-manifest', 'read') },
  }),
  changes('lerna nx turbo changeset release-it semantic-release np', 'does_may_publish', {
    sub: {
      ...all('run exec test lint build affected run-many', 'pass'),
      ...all('ls list info graph show status changed diff daemon report', 'read'),
    },
    options: { quiet: '--dry-run? -n' },
  }),
  writes(
    'rimraf del-cli trash-cli mkdirp make-dir-cli cpy-cli cpx copyfiles ncp',
    'does_changes_files',
  ),
  writes('touch-cli degit giget tiged npm-check-updates ncu', 'does_changes_files'),
  changes('nvm fnm volta asdf mise rbenv pyenv sdk rustup n', 'does_changes_installed_tools', {
    bare: 'read',
    readOperand: '^(?:ls|list|current|which|where|version|versions|show|whence|ls-remote)$',
    options: { quiet: '-l' },
    sub: { 'exec x': exec, env: { does: 'read', environment: true } },
  }),
]
