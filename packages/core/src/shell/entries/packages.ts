import { phrase } from '../../base/text/phrase.ts'
import type { ProgramEntry } from '../programs/entry.ts'
import { all, changes, passes, reads, wraps, writes } from './shape.ts'

/** What a package runner starts is code of a package, so that only the name of it is seen. */
const exec = {
  does: 'run' as const,
  style: 'posix' as const,
  bare: 'opaque' as const,
  wraps: { unproven: true },
}
const npmExec = {
  ...exec,
  options: { run: '-c: --call:', flag: '-p: --package: -y --yes --no -q --quiet --no-install' },
}
const npmFlags =
  '--json --long -l --parseable -p --depth: -a --all --omit: --include: --prod --production ' +
  '--dev --only: --audit-level: --loglevel: -s --silent -q --quiet --no-color --color ' +
  '--offline --prefer-offline --no-audit --no-fund --searchlimit: --registry:'
/** Every command of npm leaves a log in the home. */
const npmReads = (names: string, rest: { reach?: 'network' } = {}) =>
  all(names, 'pass', { options: { flag: npmFlags }, ...rest })
/** Options of the package manager around a script; behind `--` they belong to the script. */
const script = {
  options: {
    program: '--script-shell: --shell: --git:',
    code: '--node-options: --userconfig: --globalconfig: --prefix: -C: --dir: --cwd:',
    flag: '--if-present -s --silent -q --quiet --loglevel: -w: --workspace: --workspaces -ws',
  },
}

/** Package managers: asking is reading, running a script is unknown, the rest changes things. */
export const packages: readonly ProgramEntry[] = [
  changes('npm', 'does_changes_project_registry', {
    bare: 'pass',
    options: { flag: '-s --silent --loglevel: -w: --workspace: --workspaces', quiet: '-v' },
    sub: {
      ...npmReads('ls list ll la explain why query root prefix bin help help-search fund'),
      ...npmReads('view info show v outdated search s find ping whoami', { reach: 'network' }),
      ...all('test t tst start stop restart', 'pass', script),
      'run run-script rum urn': { does: 'pass', reader: 'npm-run', ...script },
      audit: {
        does: 'pass',
        reach: 'network',
        changeOperand: '^fix$',
        options: { change: '--fix', flag: npmFlags },
      },
      pkg: { does: 'change', sub: npmReads('get') },
      'config c': { does: 'change', sub: npmReads('get list ls') },
      version: {
        does: 'change',
        bare: 'pass',
        options: {
          flag:
            '--no-git-tag-version --git-tag-version -m: --message: --preid: --json -f --force ' +
            '--allow-same-version --no-commit-hooks -w: --workspace: --workspaces',
        },
      },
      ...npmReads('get'),
      // Scripts of the project run before it packs.
      pack: {
        does: 'write',
        why: phrase('does_writes_package_file'),
        options: { rehearse: '--dry-run', flag: npmFlags, writeTo: '--pack-destination:' },
      },
      ...all('install i add ci publish update up uninstall rm remove dedupe prune', 'change', {
        options: {
          rehearse: '--dry-run',
          flag:
            `${npmFlags} -D --save-dev -S --save -E --save-exact -O --save-optional -P ` +
            '--save-prod --no-save --save-peer -g --global --legacy-peer-deps --force -f ' +
            '--ignore-scripts --no-progress --engine-strict --strict-peer-deps ' +
            '--package-lock-only --no-package-lock --tag: --access: --otp: --provenance ' +
            '-w: --workspace: --workspaces --include-workspace-root -y --yes',
        },
      }),
      'exec x': npmExec,
    },
  }),
  wraps('npx bunx pnpx', npmExec),
  passes('yarn yarnpkg', {
    bare: 'change',
    why: phrase('does_changes_project'),
    options: { flag: '-s --silent', code: '--cwd:', rehearse: '-v' },
    sub: {
      // A file of the project may name another yarn to run.
      ...all('why list help licenses info outdated audit', 'pass'),
      ...all(
        'add install remove up upgrade upgrade-interactive init publish link unlink',
        'change',
      ),
      ...all(
        'pack import set dedupe rebuild autoclean policies plugin patch unplug create',
        'change',
      ),
      ...all('cache global owner tag team login logout version generate-lock-entry', 'change'),
      config: { does: 'change', sub: all('get list', 'pass') },
      ...all('test', 'pass', script),
      run: { does: 'pass', reader: 'npm-run', ...script },
      'exec dlx': exec,
    },
  }),
  passes('pnpm', {
    why: phrase('does_changes_project'),
    options: { flag: '-r --recursive --filter: -F: -s --silent -w', code: '-C: --dir:' },
    sub: {
      // A file of the project is loaded as code by every one of them.
      ...all('ls list ll la why root bin help licenses outdated view info audit', 'pass'),
      ...all(
        'add install i remove rm uninstall un update up upgrade link ln unlink import',
        'change',
      ),
      ...all(
        'rebuild rb prune publish pack patch patch-commit deploy dedupe init create',
        'change',
      ),
      ...all('setup env server fetch install-test it self-update', 'change'),
      config: { does: 'change', sub: all('get list', 'pass') },
      store: { does: 'change', sub: all('path', 'pass') },
      ...all('test t', 'pass', script),
      'run run-script': { does: 'pass', reader: 'npm-run', ...script },
      'exec dlx': { ...exec, options: { flag: '--package: -c --shell-mode' } },
    },
  }),
  passes('bun', {
    bare: 'read',
    sub: {
      ...all('add a install i ci remove rm update link unlink init create c upgrade', 'change', {
        why: phrase('does_changes_project'),
      }),
      ...all('publish patch pm build', 'change', { why: phrase('does_changes_files') }),
      ...all('test', 'pass', script),
      run: { does: 'pass', reader: 'npm-run', ...script },
      x: exec,
    },
  }),
  passes('deno', {
    bare: 'opaque',
    sub: {
      ...all('test lint check info doc types task bench', 'pass'),
      ...all('install uninstall add remove i compile bundle cache init', 'change'),
      ...all('upgrade publish vendor jupyter deploy clean', 'change', {
        why: phrase('does_changes_files'),
      }),
      fmt: { does: 'write', why: phrase('does_rewrites_files'), options: { rehearse: '--check' } },
      ...all('run serve repl eval', 'opaque'),
    },
  }),
  changes('pip pip3', 'does_changes_installed_packages', {
    bare: 'read',
    options: {
      flag: '-q --quiet -v --verbose --disable-pip-version-check --no-color',
      quiet: '-V',
    },
    sub: {
      ...all('list show freeze check inspect help', 'read', {
        options: {
          flag:
            '-f --files --format: -l --local --user --not-required -i: -e --editable ' +
            '--exclude-editable --exclude: --all -v --verbose -q --quiet ' +
            '--disable-pip-version-check --no-color --pre --no-index',
        },
      }),
      config: { does: 'change', sub: all('list get debug', 'read') },
      cache: { does: 'change', sub: all('list info dir', 'read') },
      ...all('download wheel', 'write', { why: phrase('does_saves_files') }),
    },
  }),
  changes('pipx', 'does_changes_installed_packages', {
    sub: { ...all('list', 'pass'), run: exec },
  }),
  changes('uv', 'does_changes_project', {
    bare: 'read',
    sub: {
      help: { does: 'read' },
      version: { does: 'change', bare: 'read' },
      // It starts the Python of the project, and keeps a cache.
      pip: { does: 'change', sub: all('list show freeze check tree', 'pass') },
      python: { does: 'change', sub: { ...all('list find', 'pass'), ...all('dir', 'read') } },
      tool: { does: 'change', sub: { ...all('list dir', 'pass'), run: exec } },
      cache: { does: 'change', sub: all('dir', 'read') },
      // It may write the lock file, and build what it looks at.
      ...all('tree', 'pass', {
        options: { flag: '--frozen --locked --depth: --no-dev --invert --outdated --package:' },
      }),
      run: { ...exec, options: { flag: '--with: --python: -p: --extra: --group: -m: --module:' } },
    },
  }),
  wraps('uvx', {
    bare: 'opaque',
    wraps: { unproven: true },
    options: { flag: '--from: --with: --python: -p:' },
  }),
  // Plugins of the project are loaded, and an environment is made where there is none.
  changes('poetry', 'does_changes_project', {
    sub: {
      ...all('about', 'pass'),
      ...all('show check search', 'pass', {
        options: { flag: '-t --tree -l --latest -o --outdated -T --top-level --only: -a --all' },
      }),
      env: { does: 'change', sub: all('info list', 'pass', { options: { flag: '-p --path -e' } }) },
      version: { does: 'change', bare: 'pass', options: { flag: '-s --short' } },
      config: { does: 'change', options: { rehearse: '--list' } },
      run: exec,
    },
  }),
  changes('pdm hatch rye pixi', 'does_changes_project', {
    sub: { ...all('list show info', 'pass'), run: exec },
  }),
  changes('pipenv', 'does_changes_project', { sub: { run: exec } }),
  changes('conda mamba micromamba', 'does_changes_environments', {
    sub: {
      ...all('list info', 'pass', { options: { flag: '--json -e --envs -n: --name:' } }),
      run: { ...exec, options: { flag: '-n: --name: -p: --prefix:' } },
    },
  }),
  changes('gem', 'does_changes_installed_gems', {
    sub: all('list environment contents which help', 'pass'),
  }),
  changes('bundle bundler', 'does_changes_project', {
    // Its Gemfile is a program.
    sub: { ...all('list show info check outdated platform', 'pass'), exec },
  }),
  changes('composer', 'does_changes_project', {
    bare: 'pass',
    sub: {
      ...all('show info licenses about help list why why-not depends prohibits', 'pass'),
      ...all('run-script run test exec validate', 'pass'),
    },
  }),
  changes('apt apt-get aptitude', 'does_changes_installed_packages', {
    sub: all('list show search policy depends rdepends help', 'pass', {
      options: { flag: '-a --all-versions --installed --upgradable --names-only -n --full' },
    }),
  }),
  passes('apt-cache', {
    sub: all('search show showpkg depends rdepends policy madison pkgnames stats', 'pass', {
      options: { flag: '-a -n -i -f --installed --no-all-versions' },
    }),
  }),
  reads('dpkg-query', {
    options: {
      flag: '-l --list -L --listfiles -s --status -S --search -W --show -f: --showformat: -n -i',
    },
  }),
  changes('dpkg', 'does_changes_installed_packages', {
    options: {
      quiet:
        '-l -L -s -S -p --list --listfiles --status --search ' +
        '--get-selections --print-architecture --audit --compare-versions',
      // These unpack it somewhere first.
      rehearse: '-I -c --info --contents',
    },
  }),
  // `--eval` and `--pipe` run commands.
  // It makes its database where there is none.
  changes('rpm', 'does_changes_installed_packages', {
    options: {
      rehearse: '-q --query -qa -qi -ql -qf',
      flag: '-a -i -l -f -p --last --info --list',
    },
  }),
  changes('yum dnf microdnf zypper', 'does_changes_installed_packages', {
    reach: 'network',
    sub: all('info search repolist provides repoquery', 'pass'),
  }),
  changes('apk', 'does_changes_installed_packages', {
    sub: all('info list search policy stats', 'pass'),
  }),
  changes('pacman yay paru', 'does_changes_installed_packages', {
    options: { quiet: '-Q -Qs -Qi -Ql -Qo -Qe -Qm' },
  }),
  changes('brew', 'does_changes_installed_packages', {
    reach: 'network',
    sub: all('list ls info deps leaves uses desc config', 'pass', {
      options: { flag: '--versions --json? --cask --formula --tree --installed -1' },
    }),
    options: { quiet: '--prefix --cellar --repository --cache' },
  }),
  changes('snap flatpak choco winget scoop port nix-env', 'does_changes_installed_packages'),
  changes('nix', 'does_changes_store', { sub: all('run develop shell eval', 'opaque') }),
  changes('opam luarocks cpan cpanm cabal-install', 'does_changes_installed_packages', {}),
  changes('apt-mark apt-key', 'does_changes_installed_packages'),
  changes('add-apt-repository corepack apt-add-repository', 'does_changes_installed_packages'),
  changes('virtualenv', 'does_makes_environment'),
  changes('pre-commit husky lefthook', 'does_changes_hooks_repository', {
    sub: all('run', 'pass'),
  }),
  changes('lerna nx turbo changeset release-it semantic-release np', 'does_may_publish', {
    sub: all('run exec test lint build affected run-many', 'pass'),
  }),
  writes(
    'rimraf del-cli trash-cli mkdirp make-dir-cli cpy-cli cpx copyfiles ncp',
    'does_changes_files',
  ),
  writes('touch-cli degit giget tiged npm-check-updates ncu', 'does_changes_files'),
  changes('nvm fnm volta asdf rbenv pyenv sdk n', 'does_changes_installed_tools', {
    sub: {
      ...all('ls list current which where versions', 'pass'),
      // `asdf env x cmd` starts the command.
      'exec x env': exec,
    },
  }),
  // A file of the project may have it run commands.
  changes('mise', 'does_changes_installed_tools', {
    sub: {
      ...all('ls list current which where doctor', 'pass'),
      'exec x': exec,
      env: { does: 'pass', environment: true },
    },
  }),
  changes('rustup', 'does_changes_installed_tools', {
    sub: {
      toolchain: {
        does: 'change',
        sub: all('list', 'pass', { options: { flag: '-v --verbose -q --quiet' } }),
      },
      // The toolchain that a file of the project names is installed first.
      ...all('show which doc', 'pass'),
      ...all('target component', 'change', { sub: all('list', 'pass') }),
      run: { ...exec, wraps: { skip: 1, unproven: true } },
    },
  }),
]
