/** One thing that can be written where somebody writes. */
export interface Offer {
  readonly label: string
  readonly detail: string
  /** Written instead of the label, such as a name with its colon. */
  readonly insert: string
}

export interface Offers {
  readonly from: number
  readonly offers: readonly Offer[]
  /** They hold as long as what is written from there on looks so. */
  readonly within: RegExp
}
