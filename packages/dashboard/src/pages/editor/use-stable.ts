import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function that stays the same and calls the newest one: whoever has it is not drawn anew. */
export function useStable<Given extends readonly unknown[], Result>(
  newest: (...given: Given) => Result,
): (...given: Given) => Result {
  const kept = useRef(newest)
  useLayoutEffect(() => {
    kept.current = newest
  })
  return useCallback((...given: Given) => kept.current(...given), [])
}
