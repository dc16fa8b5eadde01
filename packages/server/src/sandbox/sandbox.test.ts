import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { bubblewrapped } from './bubblewrap.ts'
import { makeCage } from './cage.ts'
import { secretVariables } from './environment.test-kit.ts'
import { serverChildEnvironment } from './environment.ts'
import { findSandbox } from './find-sandbox.ts'
import { planCage } from './plan-cage.ts'
import { type GuardedOptions, runGuarded } from './run-guarded.ts'

const sandbox = await findSandbox()
const hasCage = sandbox.kind === 'bubblewrap'
if (!hasCage) process.stderr.write(`skipped: tests in a real cage. ${sandbox.why}\n`)

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-sandbox-')))
  folders.push(folder)
  return folder
}

const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/root' }

function options(cwd: string, more: Partial<GuardedOptions> = {}): GuardedOptions {
  return { sandbox, cage: null, cwd, env, timeoutMs: 20_000, outputLimit: 10_000, ...more }
}

/** With a number of our own: the same tests may run beside us, in another clone. */
const sleep = `sleep 4711.${process.pid}`

async function isAlive(mark: string): Promise<boolean> {
  const found = await runGuarded(['/usr/bin/pgrep', '-f', mark], options('/'))
  return found.exit === 0
}

describe('running a command', () => {
  test('its exit code, output and their digest come back', async () => {
    const done = await runGuarded('printf out; printf err >&2; exit 3', options('/'))
    expect(done).toMatchObject({
      exit: 3,
      ended: 'itself',
      stdout: 'out',
      stderr: 'err',
      outputBytes: 6,
      isTruncated: false,
      isCaged: false,
    })
    expect(done.outputHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test("a start-up file of the person's shell is not read", async () => {
    const home = newFolder()
    writeFileSync(join(home, '.bashrc'), 'echo started\n')
    const done = await runGuarded('echo done', options('/', { env: { ...env, HOME: home } }))
    expect(done.stdout).toBe('done\n')
  })

  test('output beyond the limit is counted and dropped', async () => {
    const done = await runGuarded(
      'head -c 100000 /dev/zero | tr "\\0" x',
      options('/', { outputLimit: 100 }),
    )
    expect(done).toMatchObject({ exit: 0, isTruncated: true, outputBytes: 100_000 })
    expect(done.stdout).toBe('x'.repeat(100))
  })

  test('a command that takes too long is ended with all its children', async () => {
    const done = await runGuarded(
      `${sleep}01 & setsid ${sleep}01 & ${sleep}01`,
      options('/', { timeoutMs: 300 }),
    )
    expect(done).toMatchObject({ exit: null, ended: 'timeout' })
    expect(await isAlive(`${sleep}01`)).toBe(false)
  })

  test('a stopped command is ended, also one that was stopped before it began', async () => {
    const stop = new AbortController()
    const running = runGuarded(`${sleep}02`, options('/', { signal: stop.signal }))
    stop.abort()
    expect(await running).toMatchObject({ exit: null, ended: 'stopped' })
    const late = await runGuarded(`${sleep}02`, options('/', { signal: stop.signal }))
    expect(late).toMatchObject({ ended: 'stopped' })
  })

  test('what left its group is found and ended when the command is over', async () => {
    const line = `(setsid nohup ${sleep}03 >/dev/null 2>&1 &) ; sleep 0.2`
    expect((await runGuarded(line, options('/'))).exit).toBe(0)
    expect(await isAlive(`${sleep}03`)).toBe(false)
  })

  test('a program that is not there ends with 127, as in a shell', async () => {
    const done = await runGuarded(['/no/such/program'], options('/'))
    expect(done.exit).toBe(127)
    expect(done.stderr).toContain('could not be started')
  })
})

describe('SH-12: the environment of a child', () => {
  test('of the server: only what is listed', () => {
    const ours = { PATH: '/bin', LC_ALL: 'C', DATABASE_URL: 's', ANTHROPIC_API_KEY: 'k' }
    expect(serverChildEnvironment(ours, { blocked: [], overrides: { X: 'y' } })).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      X: 'y',
    })
  })

  test('of the server: nothing of ours, nothing that runs or loads other code', () => {
    const none = { blocked: [], overrides: { STATEWRIGHT_TOKEN: 't', BASH_ENV: 'x' } }
    expect(serverChildEnvironment({ PATH: '/bin', ...secretVariables }, none)).toEqual({
      PATH: '/bin',
    })
  })

  test('a variable that is both set and blocked stays blocked', () => {
    const rules = { blocked: ['KEY'], overrides: { KEY: 'v' } }
    expect(serverChildEnvironment({ PATH: '/bin' }, rules)).toEqual({ PATH: '/bin' })
  })
})

describe('SH-14: where there is no sandbox', () => {
  const wishes = { workspace: '/', mayWrite: false, network: true }

  test('macOS is said to be L0', async () => {
    const found = await findSandbox({ platform: 'darwin' })
    expect(found).toMatchObject({ kind: 'none' })
    expect(found.kind === 'none' && found.why).toMatch(/macOS.*L0/)
  })

  test('auto goes on without, required denies, off does not care', async () => {
    const found = await findSandbox({ paths: ['/nowhere/bwrap'] })
    expect(found.kind === 'none' && found.why).toContain('not installed')
    expect(planCage('auto', found, wishes)).toEqual({ ok: true, value: null })
    expect(planCage('off', found, wishes)).toEqual({ ok: true, value: null })
    expect(planCage('required', found, wishes)).toMatchObject({
      ok: false,
      error: { code: 'sandbox_required' },
    })
  })

  test('a bubblewrap that cannot make namespaces does not count', async () => {
    const found = await findSandbox({ paths: ['/bin/false'] })
    expect(found.kind === 'none' && found.why).toContain('cannot make its namespaces')
  })
})

test('SH-14: a library for loading reaches the command, not bubblewrap outside of the cage', () => {
  const bubblewrap = {
    kind: 'bubblewrap',
    program: '/usr/bin/bwrap',
    shell: '/bin/bash',
    disablesUserNamespaces: true,
    filtersSockets: true,
  } as const
  const cage = makeCage({ workspace: '/', mayWrite: false, network: true })
  const options = { cage, cwd: '/', env: { A: '1', LD_PRELOAD: 'evil.so' } }
  const started = bubblewrapped(bubblewrap, ['true'], options)
  expect(started.env).toEqual({ A: '1' })
  expect(started.args.join(' ')).toContain('--setenv LD_PRELOAD evil.so')
})

describe.skipIf(!hasCage)('SH-14: in a cage', () => {
  const wishes = { mayWrite: false, network: false }

  test('a reading state changes nothing; scratch space is its own', async () => {
    const workspace = newFolder()
    const cage = makeCage({ ...wishes, workspace })
    const line = 'echo x > a; echo y > /tmp/scratch && cat /tmp/scratch; echo z > ~/.bashrc'
    const done = await runGuarded(line, options(workspace, { cage }))
    expect(done).toMatchObject({ isCaged: true, stdout: 'y\n' })
    expect(done.stderr.match(/Read-only file system/g)).toHaveLength(2)
  })

  test('a writing state writes in the workspace, and nowhere else', async () => {
    const [workspace, other] = [newFolder(), newFolder()]
    const cage = makeCage({ ...wishes, workspace, mayWrite: true })
    const line = `echo x > a; echo y > ${other}/b; echo z > /etc/statewright-test`
    await runGuarded(line, options(workspace, { cage }))
    expect(readFileSync(join(workspace, 'a'), 'utf8')).toBe('x\n')
    expect(() => readFileSync(join(other, 'b'))).toThrow()
    expect(() => readFileSync('/etc/statewright-test')).toThrow()
  })

  test('what is masked cannot be read, listed or uncovered', async () => {
    const workspace = newFolder()
    const data = join(workspace, 'data')
    mkdirSync(data)
    writeFileSync(join(data, 'secret'), 'hush')
    writeFileSync(join(workspace, 'key'), 'hush')
    const hide = [data, join(workspace, 'key'), join(workspace, 'not-there')]
    const cage = makeCage({ ...wishes, workspace, mayWrite: true, hide })
    const line =
      'cat key data/secret; ls -A data; umount data; mount -o remount,rw /; ' +
      'unshare -Urm umount data; cat data/secret /proc/1/root/$PWD/data/secret; ' +
      'mv data d2; rm -rf data'
    const done = await runGuarded(line, options(workspace, { cage }))
    expect(done.stdout).toBe('')
    expect(done.stderr).not.toContain('hush')
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('hush')
  })

  test('what is kept stays, also under another name, and new ones are told', async () => {
    const workspace = newFolder()
    mkdirSync(join(workspace, '.claude'))
    writeFileSync(join(workspace, '.claude/settings.json'), '{}')
    const keep = ['.claude', '.mcp.json']
    const cage = makeCage({ ...wishes, workspace, mayWrite: true, keep })
    const line =
      'echo 1 > .claude/settings.json; echo 1 > .claude/settings.local.json; mv .claude c; ' +
      'ln .claude/settings.json s && echo 1 > s; echo "{}" > .mcp.json'
    const done = await runGuarded(line, options(workspace, { cage }))
    expect(readFileSync(join(workspace, '.claude/settings.json'), 'utf8')).toBe('{}')
    expect(() => readFileSync(join(workspace, '.claude/settings.local.json'))).toThrow()
    expect(done.intruders).toEqual([join(workspace, '.mcp.json')])
    expect(existsSync(join(workspace, '.mcp.json'))).toBe(false)
  })

  test('a folder swapped for a link after the plan: the command does not run', async () => {
    const parent = newFolder()
    const workspace = join(parent, 'work')
    mkdirSync(join(workspace, 'evil/other/.git'), { recursive: true })
    mkdirSync(join(parent, 'other/.git'), { recursive: true })
    for (const one of [join(workspace, 'evil/other'), join(parent, 'other')]) {
      writeFileSync(join(one, '.git/config'), '')
    }
    const keep = ['evil/other/.git/config']
    const cage = makeCage({ ...wishes, workspace, mayWrite: true, keep })
    renameSync(join(workspace, 'evil'), join(workspace, 'aside'))
    symlinkSync('..', join(workspace, 'evil'))
    const done = await runGuarded('touch ../reached', options(workspace, { cage }))
    expect([done.exit, existsSync(join(parent, 'reached'))]).toEqual([126, false])
    expect(done.stderr).toContain('The sandbox is not as planned')
  })

  test('paths with blanks, tabs, backslashes and line ends are planned as they are', async () => {
    const workspace = join(newFolder(), 'a b\tc\\d\ne')
    mkdirSync(join(workspace, 'x y/.git'), { recursive: true })
    writeFileSync(join(workspace, 'x y/.git/config'), '')
    const cage = makeCage({ ...wishes, workspace, mayWrite: true, keep: ['x y/.git/config'] })
    const done = await runGuarded('touch made; echo 1 > "x y/.git/config"; true', {
      ...options(workspace, { cage }),
    })
    expect([done.exit, existsSync(join(workspace, 'made'))]).toEqual([0, true])
    expect(readFileSync(join(workspace, 'x y/.git/config'), 'utf8')).toBe('')
  })

  test('a folder above what is kept cannot be put out of the way', async () => {
    const workspace = newFolder()
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true })
    const cage = makeCage({ ...wishes, workspace, mayWrite: true, keep: ['.git/hooks'] })
    const line =
      'mv .git g && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit; ' +
      'rm -rf .git; rmdir .git/hooks; echo fine > .git/HEAD'
    await runGuarded(line, options(workspace, { cage }))
    expect(readdirSync(join(workspace, '.git'), { recursive: true }).sort()).toEqual([
      'HEAD',
      'hooks',
    ])
  })

  test('no capabilities, no new ones, and no view of other processes', async () => {
    const cage = makeCage({ ...wishes, workspace: '/' })
    const line = 'grep -E "Cap(Eff|Bnd)|NoNew" /proc/self/status; ls -d /proc/[0-9]* | wc -l'
    const done = await runGuarded(line, options('/', { cage }))
    expect(done.stdout).toContain('CapEff:\t0000000000000000\nCapBnd:\t0000000000000000')
    expect(done.stdout).toContain('NoNewPrivs:\t1')
    expect(Number(done.stdout.trim().split('\n').at(-1))).toBeLessThan(8)
  })

  test('the settings of the kernel cannot be changed, not even by root', async () => {
    const cage = makeCage({ ...wishes, workspace: '/' })
    const line =
      'for file in $(find /proc /sys -maxdepth 4 -type f -writable 2>/dev/null | head -50); do ' +
      'echo $file; done; cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern'
    const done = await runGuarded(line, options('/', { cage }))
    expect([done.stdout, done.exit]).toEqual(['', 1])
    expect(done.stderr).toContain('/proc/sys/kernel/core_pattern')
  })

  test('nothing outlives the call: setsid, nohup, a double fork', async () => {
    const cage = makeCage({ ...wishes, workspace: '/' })
    const line =
      `nohup ${sleep}04 & setsid ${sleep}04 & (env -i setsid ${sleep}04 &) ; ` +
      'sleep 0.2; disown -a; exit 0'
    expect((await runGuarded(line, options('/', { cage }))).exit).toBe(0)
    expect(await isAlive(`${sleep}04`)).toBe(false)
  })

  test('a variable that was taken away is nowhere to be found', async () => {
    process.env.STATEWRIGHT_TEST_SECRET = 'hush'
    const cage = makeCage({ ...wishes, workspace: '/' })
    const line = 'env; cat /proc/1/environ /proc/[0-9]*/environ /proc/self/environ | tr "\\0" "\\n"'
    const done = await runGuarded(line, options('/', { cage }))
    expect(done.stdout).toContain('PATH=')
    expect(done.stdout).not.toContain('hush')
    delete process.env.STATEWRIGHT_TEST_SECRET
  })

  test('without a network nothing answers, not even this machine', async () => {
    const cage = makeCage({ ...wishes, workspace: '/' })
    const done = await runGuarded('cat /proc/net/tcp | wc -l', options('/', { cage }))
    expect(done.stdout.trim()).toBe('1')
  })
})
