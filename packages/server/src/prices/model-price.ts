/** USD for a million tokens. What a cache price does not say costs as much as input. */
export interface TokenPrice {
  readonly input: number
  readonly output: number
  readonly cache_read?: number | undefined
  readonly cache_write?: number | undefined
  /** Kept for an hour instead of minutes. */
  readonly cache_write_long?: number | undefined
}

export interface ModelPrice extends TokenPrice {
  /** What holds instead for a request whose whole prompt is longer. */
  readonly long?: (TokenPrice & { readonly above_tokens: number }) | undefined
}

export type PriceTable = Readonly<Record<string, ModelPrice>>
