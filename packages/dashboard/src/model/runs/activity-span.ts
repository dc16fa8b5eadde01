/** How far back charts look, in hours. It stands in the address of the page. */
export const activitySpans = { day: 24, three_days: 72, week: 24 * 7, month: 24 * 30 } as const
export type ActivitySpan = keyof typeof activitySpans

export function activitySpanOf(text: unknown): ActivitySpan | undefined {
  const names = ['three_days', 'week', 'month'] as const
  return names.find((name) => name === text)
}
