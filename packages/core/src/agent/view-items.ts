import type { AgentViewItem } from './view.ts'

/** The items with one changed in its place, or added at the end. */
export function putItem(
  items: readonly AgentViewItem[],
  item: AgentViewItem,
): readonly AgentViewItem[] {
  const at = items.findLastIndex(({ kind, id }) => kind === item.kind && id === item.id)
  if (at === -1) return [...items, item]
  return items.map((one, index) => (index === at ? item : one))
}
