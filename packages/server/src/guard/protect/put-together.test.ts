import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { home, makeWorld, removeWorld, shell } from './protect.test-kit.ts'

beforeAll(() => {
  makeWorld()
  mkdirSync(join(home, '.npm'))
})
afterAll(removeWorld)

const { pid } = process
const [low, high] = [String(pid).slice(0, 2), String(pid).slice(2)]

describe('SH-17 SH-18: what a shell puts together', () => {
  test.each([
    // Programs that type for a person, or look like one.
    ['set -- tmux; $1 send-keys -t P x Enter', 'deny'],
    ['$(command -v tmux) send-keys x', 'deny'],
    ['printf -v s tmux; $s capture-pane -p', 'deny'],
    ['tmux new-session -d "statewright approval list"', 'deny'],
    ["expect -c 'spawn statewright approval list'", 'deny'],
    ["script -qc 'statewright approval list' /tmp/x", 'deny'],
    ['tmux new-session -d "npm run dev"', 'allow'],
    ['$TOOL --screen 2', 'allow'],
    // Links that the same command makes.
    ['ln -s ~/.npm l; cat l/../.claude.json', 'deny'],
    ['ln -sfn ~/.npm ./l && cat ./l/../.claude.json', 'deny'],
    ['ln -s ~/.npm; cat .npm/../.claude.json', 'deny'],
    ['ln -s sub l; cat l/a.ts', 'allow'],
    ['ln -s dist public && ls public/', 'allow'],
    // Our process by a sum.
    [`p=${pid - 1}; ((p++)); kill $p`, 'deny'],
    [`let p=${pid}-1+1; kill -STOP $p`, 'deny'],
    [`declare -i p=${pid - 1}+1; kill $p`, 'deny'],
    [`kill $((0x${pid.toString(16)}))`, 'deny'],
    [`kill $(expr ${pid - 1} + 1)`, 'deny'],
    [`kill ${low}{${high},}`, 'deny'],
    ['npm run dev & p=$!; sleep 1; kill $p', 'allow'],
    ['kill $(lsof -t -i:3000)', 'allow'],
    // Our port.
    ['exec 3<>/dev/tcp/localhost/4"7"47', 'deny'],
    ['exec 3<>/dev/tcp/localhost/04747', 'deny'],
    ['exec 3<>/dev/tcp/localhost/0x128b', 'deny'],
    ['exec 3<>/dev/tcp/localhost/5432', 'allow'],
    // Braces behind a redirection, which bash expands where one word comes of them.
    ['echo {} > .mcp.jso{n..n}', 'deny'],
    ['echo x >> statewright.yam{l..l}', 'deny'],
    ['echo x >| .cl{a..a}ude/settings.local.json', 'deny'],
    ['echo x &> .mcp.{json,x}', 'deny'],
    ['ls 2> .mcp.jso{n..n}', 'deny'],
    ['echo "exit 0" > .gi{t..t}/hooks/pre-commit', 'ask'],
    ['cat < ~/.claud{e..e}.json', 'deny'],
    ['exec 5<> /dev/tc{p..p}/127.0.0.1/4747', 'deny'],
    ['echo x > out{1..1}.txt', 'allow'],
    // What a shell has no value for, within a word, and sets of characters.
    ['cat ~/.cla$@ude.json', 'deny'],
    ['cat ~/.cla"$@"ude.json', 'deny'],
    ['echo x > .mcp$!.json', 'deny'],
    ['tee .mcp$*.json', 'deny'],
    ['echo x >> statewright$@.yaml', 'deny'],
    ['echo x > .git$@/hooks/pre-commit', 'deny'],
    ['cat ~/.[[:alpha:]]laude.json', 'deny'],
    ['cat ~/.[]c]laude.json', 'deny'],
    ['cat ~/.[!]x]laude.json', 'deny'],
    ['cat ~/.[[.c.]]laude.json', 'deny'],
    ['cat ~/.[![:digit:]]laude.json', 'deny'],
    ['cat sub$@/a.ts', 'allow'],
    ['for f in "$@"; do cat "$f"; done; echo $# $?', 'allow'],
    ['set -- ~/.claude; cd $1; cat settings.json', 'deny'],
    ['set -- ~ x; cat "$1/.claude.json"', 'deny'],
    ['shopt -s cdable_vars; x=~; cd x; cat .claude.json', 'deny'],
    ['set -- sub; cd $1; cat a.ts', 'allow'],
    ['HOME=~/.claude; cat ~/settings.json', 'deny'],
    ['pushd -n ~/.claude; cat ~1/settings.json', 'deny'],
    ['OLDPWD=~; cd -; cat .claude.json', 'deny'],
    // What git is given by other names.
    ['git init --templ=/tmp/t', 'ask'],
    ['git clone --template=/tmp/t a b', 'ask'],
    ['git clone -c core.hooksPath=/tmp/x a b', 'ask'],
    ['git -c alias.c=config c core.hooksPath evil', 'ask'],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=init.templateDir git init', 'ask'],
    ['GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory git status', 'allow'],
    ['git -c core.hooksPath=/dev/null commit -m x', 'allow'],
    ['git init', 'allow'],
    ['git clone a b', 'allow'],
    ['git clean -fdx :/', 'deny'],
    ['npm conf set script-shell x', 'ask'],
    ['pnpm set script-shell x', 'ask'],
    ['npm config get registry', 'allow'],
    // A patch that cannot be read.
    ['base64 -d p | patch -p1', 'deny'],
    ['gunzip -c x.patch.gz | git apply', 'deny'],
    ['git diff HEAD~1 | git apply -R', 'allow'],
    ['base64 -d p > image.png', 'allow'],
    // A folder by a variable.
    ['cd $CLAUDE_PROJECT_DIR/.claude; rm settings.local.json', 'deny'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell reads it.
    ['cd ${X:-.claude}; rm settings.local.json', 'deny'],
    ['cd $CLAUDE_PROJECT_DIR/sub; rm a.ts', 'allow'],
    // Words that change what they are given, wherever it stands among them.
    ['perl -pi -e s/a/b/ statewright.yaml', 'deny'],
    ['unzip x.zip -d .claude', 'deny'],
    ['tar -C .claude -xf x.tar', 'deny'],
    ['ln .claude/settings.json h; echo x > h', 'deny'],
  ])('%s: %s', (command, answer) => {
    expect(shell(command)).toBe(answer)
  })
})
