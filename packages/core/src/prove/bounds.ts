/** How much a search looks at. Past a bound nothing is proved (PV-8). */
export interface Bounds {
  readonly situations: number
  /** Moves tried, whatever came of them. */
  readonly moves: number
}

export const usualBounds: Bounds = { situations: 200_000, moves: 4_000_000 }

/** Kinds of data that are sent with one event. */
export const maxCombinations = 256

/** Kinds of files that are told apart. */
export const maxFileClasses = 64

/** Ways in which the conditions of one move come out. */
export const maxOutcomes = 64

/** Said where there are more, and where the patterns are too involved to find them all. */
export const tooManyFileClasses =
  'The patterns distinguish more kinds of files than the search examines ' +
  `(at most ${maxFileClasses}).`
