/** How much of a limit is used, as a bar. */
export function Meter({ used, max, isFull }: MeterProps) {
  const share = max === 0 ? 1 : Math.min(1, used / max)
  const tone = isFull ? 'meter full' : share > 0.75 ? 'meter near' : 'meter'
  return (
    <div className={tone}>
      <span style={{ width: `${share * 100}%` }} />
    </div>
  )
}

interface MeterProps {
  readonly used: number
  readonly max: number
  /** Whether nothing is left: a rate may be free again before it is unused. */
  readonly isFull: boolean
}
