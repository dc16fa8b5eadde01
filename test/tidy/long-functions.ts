/** Functions of more than 60 lines: how long they are, and why they stay whole. */
export const knownLongFunctions: Readonly<Record<string, readonly [lines: number, why: string]>> = {
  'packages/dashboard/src/api/feed/feed.ts openFeed': [
    66,
    'one state, shared by all that it sets up',
  ],
  'packages/dashboard/src/model/words/entry-words.ts entryWords': [114, 'one case for each kind'],
  'packages/dashboard/src/pages/editor/code-editor.tsx editorState': [
    73,
    'a flat list of extensions',
  ],
  'packages/dashboard/src/pages/editor/editor.tsx Editor': [115, 'the markup of one page'],
  'packages/dashboard/src/pages/editor/state-panel.tsx WorkflowState': [
    71,
    'the markup of one page',
  ],
  'packages/dashboard/src/pages/run/run-page.tsx RunPage': [71, 'the markup of one page'],
  'packages/dashboard/src/pages/run/timeline.tsx Timeline': [68, 'the markup of one page'],
  'packages/dashboard/src/pages/runs/run-list.tsx RunList': [76, 'the markup of one page'],
  'packages/dashboard/src/pages/settings/logins.tsx Logins': [65, 'the markup of one page'],
  'packages/dashboard/src/pages/settings/passkeys.tsx Passkeys': [69, 'the markup of one page'],
  'packages/dashboard/src/ui/proof/provider-dialog.tsx ProviderDialog': [72, 'markup'],
  'packages/server/src/cli/output/entry-lines.ts sentence': [67, 'one case for each kind of entry'],
  'packages/server/src/config/runtime-settings.ts runtimeSettings': [
    67,
    'one getter for each setting',
  ],
}
