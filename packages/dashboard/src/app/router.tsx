import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { type ActivitySpan, activitySpanOf } from '../model/runs/activity-span.ts'
import { type RunFilters, readFilters, writeFilters } from '../model/runs/run-filters.ts'
import { readSessionFilters, writeSessionFilters } from '../model/sessions/session-filters.ts'
import { NotFound } from './not-found.tsx'
import { Shell } from './shell.tsx'

/** The address of every page. What a page is narrowed to stands in it, so that it can be shared. */
const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

/** The router lays what a page reads over the address as it stands: all else of it is taken out. */
function only<T extends object>(read: (search: Record<string, unknown>) => T) {
  return (search: Record<string, unknown>): T => {
    const blank = Object.fromEntries(Object.keys(search).map((key) => [key, undefined]))
    return { ...blank, ...read(search) }
  }
}

const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: only((search): { approval?: string } =>
      typeof search.approval === 'string' ? { approval: search.approval } : {},
    ),
    component: lazyRouteComponent(
      () => import('../pages/approvals/approvals-page.tsx'),
      'ApprovalsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs',
    validateSearch: only(
      (search): Partial<Record<keyof RunFilters, string>> => writeFilters(readFilters(search)),
    ),
    component: lazyRouteComponent(() => import('../pages/runs/runs-page.tsx'), 'RunsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/runs/$runId',
    validateSearch: only((search): { at?: number } => {
      const at = Number(search.at)
      return Number.isSafeInteger(at) && at > 0 ? { at } : {}
    }),
    component: lazyRouteComponent(() => import('../pages/run/run-page.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/compare',
    validateSearch: only((search): { left?: string; right?: string; row?: number } => {
      const row = search.row === undefined ? -1 : Number(search.row)
      return {
        ...(typeof search.left === 'string' ? { left: search.left.slice(0, 100) } : {}),
        ...(typeof search.right === 'string' ? { right: search.right.slice(0, 100) } : {}),
        ...(Number.isSafeInteger(row) && row >= 0 ? { row } : {}),
      }
    }),
    component: lazyRouteComponent(() => import('../pages/compare/compare-page.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/open',
    component: lazyRouteComponent(() => import('../pages/run/open-page.tsx'), 'OpenPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workflows',
    component: lazyRouteComponent(
      () => import('../pages/workflows/workflows-page.tsx'),
      'WorkflowsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workflows/$name',
    component: lazyRouteComponent(
      () => import('../pages/definitions/definition-page.tsx'),
      'WorkflowPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/workflows/$name/edit',
    component: lazyRouteComponent(
      () => import('../pages/editor/edit-pages.tsx'),
      'WorkflowEditPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/processes',
    component: lazyRouteComponent(
      () => import('../pages/processes/processes-page.tsx'),
      'ProcessesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/processes/$name',
    component: lazyRouteComponent(
      () => import('../pages/definitions/definition-page.tsx'),
      'ProcessPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/processes/$name/edit',
    component: lazyRouteComponent(
      () => import('../pages/editor/edit-pages.tsx'),
      'ProcessEditPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/templates',
    validateSearch: only((search): { kind: 'workflow' | 'process' } => ({
      kind: search.kind === 'process' ? 'process' : 'workflow',
    })),
    component: lazyRouteComponent(
      () => import('../pages/definitions/templates-page.tsx'),
      'TemplatesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sessions',
    validateSearch: only((search): { show?: string; harness?: string } =>
      writeSessionFilters(readSessionFilters(search)),
    ),
    component: lazyRouteComponent(
      () => import('../pages/sessions/sessions-page.tsx'),
      'SessionsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sessions/$sessionId',
    component: lazyRouteComponent(() => import('../pages/session/session-page.tsx'), 'SessionPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/policies',
    component: lazyRouteComponent(
      () => import('../pages/policies/policies-page.tsx'),
      'PoliciesPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/policies/$name',
    component: lazyRouteComponent(() => import('../pages/policies/policy-page.tsx'), 'PolicyPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/activity',
    validateSearch: only((search): { span?: ActivitySpan } => {
      const span = activitySpanOf(search.span)
      return span === undefined ? {} : { span }
    }),
    component: lazyRouteComponent(
      () => import('../pages/activity/activity-page.tsx'),
      'ActivityPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/memory',
    validateSearch: only((search): { project?: string; find?: string } => ({
      ...(typeof search.project === 'string' ? { project: search.project.slice(0, 4096) } : {}),
      ...(typeof search.find === 'string' ? { find: search.find.slice(0, 200) } : {}),
    })),
    component: lazyRouteComponent(() => import('../pages/memory/memory-page.tsx'), 'MemoryPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    component: lazyRouteComponent(
      () => import('../pages/settings/settings-page.tsx'),
      'SettingsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/playground',
    validateSearch: only((search): { template?: string } =>
      typeof search.template === 'string' ? { template: search.template } : {},
    ),
    component: lazyRouteComponent(() => import('../pages/editor/edit-pages.tsx'), 'PlaygroundPage'),
  }),
])

export const router = createRouter({ routeTree, defaultPreload: 'intent' })

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
