/**
 * The files by which other rooms enter a room. A room is entered by few files, so that the others
 * can change without anybody outside; the fronts of a package show what lies in any room and need
 * no entrance, and neither do tests.
 */
export const entrances: Readonly<Record<string, readonly string[]>> = {
  'core/agent': files(`
    conversation.ts kinds.ts records.ts state-event.ts stream-event.ts view.ts
  `),
  'core/call': files(`
    edit-facts.ts glob.ts own-tools.ts paths.ts server-writes.ts test-runners.ts tool-names.ts
    tool-pattern.ts
  `),
  'core/check': files('check-definition.ts'),
  'core/condition': files(`
    bounds.ts condition.ts opens.ts rules.ts saw.ts schema.ts variables.ts walk.ts
  `),
  'core/decide': files(`
    call-needs.ts call-shape.ts decide-tool-call.ts describe-call.ts files-read.ts judge-asks.ts
    judge-edits.ts judge-policies.ts judge-standing.ts plan-run.ts session-budget.ts
  `),
  'core/graph': files('dot.ts edges.ts mermaid.ts'),
  'core/history': files(`
    chain.ts imagined-files.ts play-step.ts replay.ts simulation.ts steps.ts
  `),
  'core/machine': files('machine.ts oracle.ts program.ts room.ts way.ts'),
  'core/policy': files(`
    budgets.ts capability.ts compile-policy.ts counter-keys.ts evaluate-policy.ts money.ts
    policy-schema.ts usage.ts
  `),
  'core/process': files('mail.ts parse-process.ts process-schema.ts'),
  'core/reduce': files(`
    evidence.ts note-call.ts reduce-run.ts start.ts task.ts tool-requested.ts
  `),
  'core/shell': files(`
    analyze.ts command-words.ts findings.ts judge.ts questions.ts rules.ts
  `),
  'core/view': files('explain.ts run-view.ts'),
  'dashboard/api/client': files('client.ts problem.ts proof.ts query-client.ts'),
  'dashboard/api/feed': files('feed.ts live.ts session-stream.ts'),
  'dashboard/api/proof': files('passkeys.ts proof-ticket.ts'),
  'dashboard/api/resources': files(`
    activity.ts definitions.ts entries.ts notebook.ts queries.ts replays.ts sessions.ts settings.ts
  `),
  'dashboard/model/app': files('palette.ts tour.ts waiting-change.ts'),
  'dashboard/model/definitions': files(`
    claims.ts command-pattern.ts definition-path.ts example.ts policy-rules.ts
  `),
  'dashboard/model/diagram': files('edge-path.ts machine-now.ts run-graph.ts run-marks.ts'),
  'dashboard/model/history': files(`
    compare/compare-runs.ts context-diff.ts fold.ts moments.ts program-text.ts recorded-run.ts
    replay-words.ts seen-so-far.ts
  `),
  'dashboard/model/runs': files(`
    activity-span.ts run-filters.ts run-pages.ts seen-entries.ts
  `),
  'dashboard/model/sessions': files(`
    session-filters.ts session-lanes.ts session-lines.ts start-session.ts
  `),
  'dashboard/model/simulator': files('outcome.ts play.ts run-summary.ts simulation.ts'),
  'dashboard/model/suggest': files('help.ts recorded-denial.ts suggest-change.ts'),
  'dashboard/model/text': files(`
    changes.ts complete.ts draw-text.ts edit-text.ts offsets.ts own-echoes.ts readable.ts
  `),
  'dashboard/model/words': files(`
    activity-words.ts call-arguments.ts entry-words.ts failed-conditions.ts made-words.ts
    marks.ts plain-text.ts words.ts
  `),
  'dashboard/ui/charts': files('bars.tsx meter.tsx rank-list.tsx'),
  'dashboard/ui/demo': files('demo-button.tsx tour-state.ts'),
  'dashboard/ui/dialogs': files('confirm.tsx dialog.tsx toasts.tsx'),
  'dashboard/ui/page': files(`
    command-line.tsx empty-state.tsx feed-state.ts hotkeys.ts page.tsx problem-note.tsx toggle.tsx
    use-media.ts
  `),
  'dashboard/ui/proof': files('passkey-dialog.tsx step-up.tsx'),
  'dashboard/ui/theme': files('font/font.css parts.css theme-switch.tsx theme.css theme.ts'),
  'dashboard/ui/values': files(`
    entry-line.tsx foreign-text.tsx guard-list.tsx mark.tsx status-badge.tsx version-list.tsx
    when.tsx whole-box.tsx
  `),
  'server/archive': files('archiver.ts verify-archive.ts'),
  'server/app': files('start-server.ts user-name.ts version.ts'),
  'server/client-settings': files(`
    claude-install.ts edit-file.ts installed-hook.ts installer.ts installers.ts missing-additions.ts
    off-switches.ts
  `),
  'server/clients': files(`
    call-digest.ts canary.ts claude-code.ts claude-tools.ts client.ts coding-clients.ts
    plugin-dialect.ts server-key.ts
  `),
  'server/config': files(`
    configured-programs.ts named-programs.ts oidc-schema.ts outward.ts pinned.ts resolve.ts
    runtime-settings.ts schema.ts
  `),
  'server/demo': files('play.ts start-demo.ts story.ts'),
  'server/docs': files(`
    agent-guide.ts copy-script.ts doc-index.ts escaped.ts passages.ts read-docs.ts render-page.ts
    style.ts
  `),
  'server/evidence': files('defining-files.ts file-digests.ts file-stamps.ts script-words.ts'),
  'server/guard': files(`
    denial.ts exec/exec-tickets.ts explain.ts finish-call.ts guard.ts guarded-call.ts
    run-command.ts which-run.ts
  `),
  'server/home': files(`
    discovery.ts folders.ts hook-program.ts homes.ts program-paths.ts session-marks.ts
  `),
  'server/hooks': files(`
    client-adapter.ts client-registry.ts client-hook.ts status-line.ts tool-use.ts tool-uses.ts
    unjudged-calls.ts waiting-calls.ts
  `),
  'server/http': files(`
    auth/auth.ts create-server.ts feed/feed-hub.ts listen.ts own-names.ts page-files.ts
    pipeline/route.ts routes/route-table.ts
  `),
  'server/mail': files('forward.ts send-mail.ts'),
  'server/mcp': files(`
    gateway.ts mcp-endpoint.ts probe-mcp.ts serve-nothing.ts session-header.ts stdio-bridge.ts
    tool-caller.ts tools/all.ts
  `),
  'server/notebook': files('memory.ts tasks.ts wire-notebook.ts'),
  'server/notify': files('notifier.ts'),
  'server/observe': files(`
    call-traces.ts log-lines.ts logger.ts metrics.ts session-observer.ts telemetry.ts
    timed-store.ts traces.ts
  `),
  'server/orchestrator': files(`
    broker/broker-options.ts broker/session-broker.ts create-sessions.ts ports.ts
  `),
  'server/prices': files('model-price.ts prices.ts'),
  'server/reports': files(`
    activity.ts new-sessions.ts protection-level.ts rule-usage.ts stop-marks.ts
    stopped-calls.ts
  `),
  'server/replays': files('replays.ts request.ts wire-report.ts'),
  'server/runtime': files(`
    create-runtime.ts dispatch.ts evidence-facts.ts live-runs.ts policies.ts programs.ts runtime.ts
    settings.ts
  `),
  'server/runtime/blocks': files('blocked.ts unjudged.ts'),
  'server/runtime/rules': files('definitions.ts save-policy.ts'),
  'server/runtime/runs': files(`
    approvals.ts change-run.ts find-run.ts read-run.ts report-cost.ts scope.ts start-run.ts
    take-up-run.ts
  `),
  'server/sandbox': files(`
    bubblewrap.ts cage.ts end-tree.ts environment.ts find-sandbox.ts plan-cage.ts put-aside.ts
    run-guarded.ts
  `),
  'server/sdk': files('embedded-run.ts embedded.ts server-events.ts statewright.ts'),
  'server/store': files(`
    archive-store.ts node-store.ts notebook-store.ts open.ts policy-store.ts run-marks.ts
    session-store.ts store.ts
  `),
  'server/templates': files(`
    fit-template.ts project-kind.ts read-templates.ts skill/skill-file.ts
    skill/skill-template.ts source-files.ts
  `),
  'server/tools': files(`
    all.ts bounded-output.ts limits.ts run-child.ts tool.ts workspace/files.ts
    workspace/workspace.ts
  `),
  'server/transcripts': files('clients.ts readers.ts transcript.ts'),
  'server/upstream': files(`
    bounded-fetch.ts problem.ts program-files.ts questions.ts tool-watch.ts upstream.ts
    upstreams.ts written-paths.ts
  `),
}

function files(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

/** By so many files at most. */
export const maxEntrances = 8

/** Rooms with more: by how many at most, and why. A number only becomes smaller (ADR 42). */
export const wideRooms: Readonly<Record<string, readonly [files: number, why: string]>> = {
  'core/base': [16, 'each file is a noun that others speak of'],
  'core/decide': [11, 'a replay asks what a decision would read, and policies by themselves'],
  'core/definition': [14, 'each file is a noun that others speak of'],
  'core/run': [19, 'each file is a noun that others speak of'],
  'dashboard/pages': [17, 'one file for each page, loaded when it is opened'],
  'server/base': [11, 'each file is a noun that others speak of'],
}
