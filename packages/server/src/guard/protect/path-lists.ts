/** Files of coding clients, in a home folder, that hold keys. */
export const keyFiles = [
  '.claude/.credentials.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude.json',
  '.codex/auth.json',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.gemini/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.config/opencode/opencode.json',
  '.config/opencode/opencode.jsonc',
  '.config/github-copilot',
  '.copilot/config.json',
  '.copilot/mcp-config.json',
  '.cursor/mcp.json',
]

/** Our own data and configuration in a home folder, where no variable moved them. */
export const ownFolders = ['.local/state/statewright', '.config/statewright']

/** Folders and files in a home folder by which coding clients are set up. */
export const homeSettings = [
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.opencode',
  '.config/opencode',
  '.local/share/opencode',
  '.copilot',
  '.config/github-copilot',
  '.cursor',
]

/** Programs in a home folder: ours as `install:global` puts it there, and clients that ask us. */
export const homePrograms = [
  '.local/share/statewright',
  '.local/bin/statewright',
  '.statewright',
  '.local/share/claude',
  ...['claude', 'codex', 'gemini', 'opencode', 'copilot', 'cursor-agent'].map(
    (name) => `.local/bin/${name}`,
  ),
]

/**
 * What sets a guard up, by the end of its path: a client that is started in any folder reads what
 * lies there, and any folder may be a project or a home.
 */
export const guardNames = [
  'statewright.yaml',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/hooks',
  '.claude.json',
  '.mcp.json',
  '.codex',
  '.gemini',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.config/opencode',
  '.copilot',
  '.github/hooks',
  '.cursor',
]

/** In a folder of git: what runs programs, or says where that stands. Git rarely writes it. */
export const gitRunsLater = ['config', 'config.worktree', 'commondir', 'hooks', 'info', 'gitdir']

function inFormats(name: string): string[] {
  return ['yml', 'yaml', 'toml', 'json', 'js', 'cjs', 'mjs'].map((format) => `${name}.${format}`)
}

/**
 * What runs later without anybody asking for it, by the end of its path, in whichever folder. A
 * star stands for any characters of a name. What every project's own people edit is not here: what
 * a `package.json`, a `Makefile` or a `.env` starts, the project starts.
 */
export const laterNames = [
  // Commands, agents and skills of coding clients.
  '.claude',
  // Others that are read in a repository, and our own program where a project has it.
  ...['.github/copilot', '.github/mcp.json', 'node_modules/.bin/statewright', '.run'],
  // Hooks of git that are kept in the repository.
  ...['.husky', '.pre-commit-config.yaml', '.overcommit.yml', '.hg/hgrc', '.lintstagedrc'],
  ...['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'].flatMap(inFormats),
  ...['.simple-git-hooks', '.lintstagedrc'].flatMap(inFormats),
  // Package managers and what chooses tools: they name registries, scripts and programs.
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.yarn/releases', '.yarn/plugins', '.pnpmfile.cjs'],
  ...['bunfig.toml', 'pip.conf', '.pypirc', '.condarc', '.cargo/config', '.cargo/config.toml'],
  ...['.bundle/config', '.gradle/init.d', '.gradle/init.gradle', '.m2/settings.xml', '.mvn'],
  ...['.envrc', '.mise.toml', 'mise.toml', '.mise', '.tool-versions', 'pnpm-workspace.yaml'],
  ...['gradle/wrapper', 'Directory.Build.props', 'Directory.Build.targets', 'nuget.config'],
  ...['.bazelrc', '.bazeliskrc', '.rspec', 'usercustomize.py', 'sitecustomize.py'],
  'site-packages/*.pth',
  // Continuous integration.
  ...['.github/workflows', '.github/actions', '.gitlab-ci.yml', '.gitlab/ci', '.circleci'],
  ...['.travis.yml', 'Jenkinsfile', 'azure-pipelines.yml', '.azure-pipelines', '.buildkite'],
  ...[
    'bitbucket-pipelines.yml',
    '.drone.yml',
    '.woodpecker',
    '.woodpecker.yml',
    '.gitea/workflows',
  ],
  ...['.forgejo/workflows', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml', 'cloudbuild.yaml'],
  ...['cloudbuild.yml', 'buildspec.yml'],
  // Editors run tasks, and programs that their settings name.
  ...['.vscode/tasks.json', '.vscode/launch.json', '.vscode/settings.json', '.vscode/mcp.json'],
  ...['.idea', '.zed', '.devcontainer', '.devcontainer.json', '.exrc', '.nvim.lua', '.nvimrc'],
  ...['.dir-locals.el', '.sublime-project', '*.code-workspace'],
]

/** The same in a home folder, where it is not known by its name alone. */
export const startUpFiles = [
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.config/zsh', '.config/fish'],
  ...['.config/environment.d', '.pam_environment', '.xprofile', '.xsession', '.xinitrc'],
  ...['.config/systemd', '.config/autostart', 'Library/LaunchAgents'],
  ...['.gitconfig', '.config/git', '.config/pip', '.pip', '.config/direnv', '.config/mise'],
  ...['.ssh', '.gnupg', '.aws/config', '.kube/config', '.docker/config.json'],
  ...['.vimrc', '.vim', '.config/nvim', '.emacs', '.emacs.d', '.tmux.conf', '.config/tmux'],
  ...['.inputrc', '.gdbinit', '.lldbinit', '.psqlrc', '.sqliterc', '.irbrc', '.pryrc', '.Rprofile'],
  ...['.hgrc', '.gradle/gradle.properties', '.config/Code/User', '.config/VSCodium/User'],
  // Programs and modules here are found before those of the system.
  ...['.local/bin', '.local/lib', 'bin'],
]

/** The same, by folders of tools that bring versions of programs along. */
export const homeTools = [
  ...['.nvm', '.volta', '.npm-global', '.asdf', '.fnm', '.n', '.local/share/mise', '.rustup'],
  ...['.local/share/pnpm', '.local/share/fnm', '.cargo/bin', '.bun', '.deno/bin', '.pyenv'],
  ...['.rbenv', '.rvm', '.nodenv', '.jenv', '.sdkman', 'go/bin', '.yarn/bin', '.ghcup/bin'],
  ...['.config/yarn/global', '.dotnet/tools', '.composer/vendor'],
]

/** Folders of programs for everybody on the machine. */
export const systemPrograms = [
  ...['/bin', '/sbin', '/lib', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/libexec', '/opt'],
  ...['/usr/local/bin', '/usr/local/sbin', '/usr/local/lib'],
]

/** And for everybody on the machine. */
export const systemFiles = [
  ...['/etc/profile', '/etc/profile.d', '/etc/bash.bashrc', '/etc/environment', '/etc/zsh'],
  ...['/etc/crontab', '/etc/cron.d', '/etc/cron.daily', '/etc/cron.hourly', '/var/spool/cron'],
  ...['/etc/systemd', '/etc/gitconfig', '/etc/npmrc', '/etc/ld.so.preload', '/etc/pip.conf'],
]

/** For everybody as well: what sets coding clients up, and the program that makes our sandbox. */
export const systemGuards = [
  ...['/etc/claude-code', '/Library/Application Support/ClaudeCode', '/etc/codex'],
  ...['/etc/gemini-cli', '/Library/Application Support/GeminiCli', '/etc/opencode'],
  ...['/usr/bin/bwrap', '/usr/local/bin/bwrap'],
]
