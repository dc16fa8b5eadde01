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

/** In a project: there the key of the hooks stands when a client was set up for it alone. */
export const projectKeyFiles = ['.claude/settings.local.json']

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

/** What runs later without anybody asking for it, in a project. */
export const runsLater = ['.git/config', '.git/hooks', '.npmrc', '.envrc', '.claude']

/** The same in a home folder. */
export const startUpFiles = [
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.config/fish',
  '.gitconfig',
  '.config/git',
  '.npmrc',
  '.ssh',
]
