import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { home, judge, makeWorld, removeWorld, root, shell } from './protect.test-kit.ts'

beforeAll(makeWorld)
afterAll(removeWorld)

describe('SH-18: what runs later by itself', () => {
  test.each([
    ['Write', { file_path: '.git/hooks/pre-commit', content: '' }, 'ask'],
    ['Edit', { file_path: '.git/config', old_string: 'a', new_string: 'b' }, 'ask'],
    ['Write', { file_path: '.npmrc', content: '' }, 'ask'],
    ['Write', { file_path: '.envrc', content: '' }, 'ask'],
    ['Write', { file_path: '.claude/commands/a.md', content: '' }, 'ask'],
    ['Write', { file_path: join(home, '.bashrc'), content: '' }, 'ask'],
    ['Write', { file_path: 'deploy/run.sh', content: '' }, 'ask'],
    ['Read', { file_path: '.git/config' }, 'allow'],
    ['Write', { file_path: '.gitignore', content: '' }, 'allow'],
    ['Bash', { command: 'echo x > .git/hooks/pre-commit' }, 'ask'],
    ['Bash', { command: 'chmod +x .git/hooks/pre-commit' }, 'ask'],
    ['Bash', { command: 'git config core.fsmonitor ./evil' }, 'ask'],
    ['Bash', { command: 'git config --global alias.st "!evil"' }, 'ask'],
    ['Bash', { command: 'git config --get user.name' }, 'allow'],
    ['Bash', { command: 'git config user.name' }, 'allow'],
    ['Bash', { command: 'npm config set script-shell ./evil' }, 'ask'],
    ['Bash', { command: 'echo x >> ~/.bashrc' }, 'ask'],
    ['Bash', { command: 'echo x >> $HOME/.zshrc' }, 'ask'],
    ['Bash', { command: 'cat .npmrc' }, 'allow'],
    ['Bash', { command: 'git commit -m .npmrc' }, 'allow'],
    ['Bash', { command: 'git -C . config core.fsmonitor ./evil' }, 'ask'],
    ['Bash', { command: 'git -c a=b --no-pager config --global core.pager ./evil' }, 'ask'],
    ['Bash', { command: '/usr/bin/git config core.pager ./evil' }, 'ask'],
    ['Bash', { command: 'git lfs install' }, 'ask'],
    ['Bash', { command: 'pre-commit install' }, 'ask'],
    ['Bash', { command: 'yarn config set yarnPath ./evil.cjs' }, 'ask'],
    ['Bash', { command: 'crontab evil' }, 'ask'],
    ['Bash', { command: 'crontab -l' }, 'allow'],
    ['Bash', { command: 'npm config get registry' }, 'allow'],
  ])('%s %j: %s', (tool, input, answer) => {
    expect(judge(tool, input)).toBe(answer)
  })

  test.each([
    '.git/config.worktree',
    '.git/commondir',
    '.git/info/attributes',
    '.git/modules/one/hooks/post-checkout',
    '.git/rebase-merge/git-rebase-todo',
    'sub/.git/hooks/pre-commit',
    'sub/.git',
    '.husky/pre-commit',
    'lefthook.yml',
    '.vscode/tasks.json',
    'packages/one/.vscode/mcp.json',
    '.idea/workspace.xml',
    '.yarnrc.yml',
    '.yarn/releases/yarn.cjs',
    '.pnpmfile.cjs',
    '.cargo/config.toml',
    '.mise.toml',
    'packages/one/.npmrc',
    'packages/one/.envrc',
    'packages/one/.claude/commands/go.md',
    'pip.conf',
    '.github/workflows/ci.yml',
    '.github/actions/build/action.yml',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    ...['.lefthook.yaml', 'lefthook-local.yml', 'lefthook.toml', '.simple-git-hooks.json'],
    ...['.overcommit.yml', '.lintstagedrc', '.lintstagedrc.json', '.hg/hgrc', 'cloudbuild.yaml'],
    ...['x.code-workspace', 'sub/x.code-workspace', 'pnpm-workspace.yaml', '.bazelrc', '.rspec'],
    ...['gradle/wrapper/gradle-wrapper.properties', 'Directory.Build.props', 'nuget.config'],
    join(home, '.local/lib/python3.11/site-packages/usercustomize.py'),
    join(home, '.local/lib/python3.11/site-packages/x.pth'),
    '.venv/lib/python3.12/site-packages/x.pth',
    ...['bin/git', '.inputrc', '.gdbinit', '.psqlrc'].map((name) => join(home, name)),
    ...['tasks.json', 'settings.json'].map((name) => join(home, '.config/Code/User', name)),
    '.devcontainer/devcontainer.json',
    join(home, '.bash_aliases'),
    join(home, '.local/bin/git'),
    join(home, '.config/systemd/user/evil.service'),
    join(home, '.config/autostart/evil.desktop'),
    join(home, '.aws/config'),
    join(home, '.kube/config'),
    join(home, '.docker/config.json'),
    '/etc/profile.d/evil.sh',
  ])('a change of %s asks, by tool and by shell', (path) => {
    expect(judge('Write', { file_path: path, content: '' })).toBe('ask')
    expect(judge('mcp__fs__write_file', { path, content: '' })).toBe('ask')
    expect(shell(`echo x >> ${path}`)).toBe('ask')
    expect(shell(`mv a ${path}`)).toBe('ask')
    expect(judge('Read', { file_path: path })).toBe('allow')
  })

  test.each([
    ['Write', { file_path: '.git/index.lock', content: '' }, 'allow'],
    ['Bash', { command: 'rm -f .git/index.lock .git/HEAD.lock' }, 'allow'],
    ['Bash', { command: 'echo x > .git/refs/heads/next' }, 'allow'],
    ['Bash', { command: 'rm .git/worktrees/one/index.lock' }, 'allow'],
    ['Write', { file_path: '.gitignore', content: '' }, 'allow'],
    ['Write', { file_path: '.github/CODEOWNERS', content: '' }, 'allow'],
    ['Write', { file_path: '.vscode/extensions.json', content: '' }, 'allow'],
    ['Write', { file_path: 'docs/.github.md', content: '' }, 'allow'],
    ['Write', { file_path: 'package.json', content: '' }, 'allow'],
    ['Write', { file_path: 'docs/lefthook-guide.md', content: '' }, 'allow'],
    ['Write', { file_path: 'bin/run.js', content: '' }, 'allow'],
    ['Write', { file_path: '.env', content: '' }, 'allow'],
    ['Bash', { command: 'cp model.pth best.pth' }, 'allow'],
    ['Write', { file_path: 'gradle.properties', content: '' }, 'allow'],
    ['Bash', { command: 'mv prepared .github' }, 'ask'],
    ['Bash', { command: 'cp -r prepared sub/.vscode' }, 'ask'],
    ['Bash', { command: 'mv prepared sub/.claude' }, 'ask'],
    ['Bash', { command: `python3 -c "open('sub/.npmrc', 'w')"` }, 'ask'],
    ['Bash', { command: 'git commit -am "Mention .npmrc and .github/workflows"' }, 'allow'],
    ['Bash', { command: 'git add .github/workflows/ci.yml' }, 'allow'],
    ['Bash', { command: 'npm install' }, 'allow'],
    ['Bash', { command: 'npx vitest run' }, 'allow'],
  ])('%s %j: %s', (tool, input, answer) => {
    expect(judge(tool, input)).toBe(answer)
  })

  test.each(['/etc/claude-code/managed-settings.json', '/etc/codex/config.toml', '/usr/bin/bwrap'])(
    '%s is not changed at all, for everybody on the machine',
    (path) => {
      expect(judge('Write', { file_path: path, content: '' })).toBe('deny')
      expect(shell(`cp x ${path}`)).toBe('deny')
    },
  )

  test('what a person let it lead to is known from then on', () => {
    const write = { file_path: 'elsewhere/workflows/ci.yml', content: '' }
    expect(judge('Write', write)).toBe('allow')
    expect(shell('ln -s elsewhere .github')).toBe('ask')
    // Approved and done:
    symlinkSync(join(root, 'elsewhere'), join(root, '.github'))
    try {
      expect(judge('Write', write)).toBe('ask')
    } finally {
      rmSync(join(root, '.github'))
    }
  })
})
