import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { niceCeil } from '../../model/words/activity-words.ts'
import { plainText } from '../../model/words/plain-text.ts'
import './charts.css'

export interface Slot {
  /** Where it stands, in words; in the table and when pointed at. */
  readonly label: string
  /** On the axis; most slots have none. */
  readonly tick?: string
  readonly values: readonly number[]
}

export interface Series {
  readonly name: string
  readonly tone: 'accent' | 'good' | 'bad' | 'wait' | 'soft'
}

interface ChartProps {
  readonly title: string
  readonly series: readonly Series[]
  readonly slots: readonly Slot[]
  readonly show?: (value: number) => string
  /** The top of the axis for the largest value. */
  readonly ceil?: (value: number) => number
  readonly labelName?: string
}

const height = 180
const frame = { left: 54, right: 8, top: 8, bottom: 22 } as const
const innerHeight = height - frame.top - frame.bottom

interface Drawn {
  readonly svg: RefObject<SVGSVGElement | null>
  readonly width: number
  readonly step: number
}

/** Drawn as wide as it is shown, so that its text has the size of other small text. */
function useDrawn(slots: number): Drawn {
  const svg = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(520)
  useEffect(() => {
    const { current } = svg
    if (current === null) return undefined
    const observer = new ResizeObserver(() => setWidth(Math.max(160, current.clientWidth)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return { svg, width, step: (width - frame.left - frame.right) / Math.max(1, slots) }
}

/** Stacked bars over time. What is drawn also stands in a table, for anyone who cannot see it. */
export function BarChart(props: ChartProps) {
  const { series, slots, show = String, ceil = niceCeil } = props
  const max = ceil(Math.max(0, ...slots.map(({ values }) => sum(values))))
  const drawn = useDrawn(slots.length)
  const { width, step } = drawn
  return (
    <Figure {...props} drawn={drawn}>
      <Axis max={max} show={show} width={width} />
      {slots.map(({ label, tick, values }, index) => {
        const x = frame.left + index * step
        let base = frame.top + innerHeight
        return (
          <g key={label}>
            <title>
              {label}: {series.map(({ name }, at) => `${name} ${show(values[at] ?? 0)}`).join(', ')}
            </title>
            <rect x={x} y={frame.top} width={step} height={innerHeight} className="chart-hit" />
            {series.map(({ name, tone }, at) => {
              const tall = ((values[at] ?? 0) / max) * innerHeight
              base -= tall
              return (
                <rect
                  key={name}
                  x={x + step * 0.1}
                  y={base}
                  width={Math.max(1, step * 0.8)}
                  height={tall}
                  className={`chart-fill ${tone}`}
                />
              )
            })}
            {tick === undefined ? null : <Tick x={x + step / 2} text={tick} />}
          </g>
        )
      })}
    </Figure>
  )
}

/** Lines over time; a slot without a value (NaN) leaves a gap. */
export function LineChart(props: ChartProps) {
  const { series, slots, show = String, ceil = niceCeil } = props
  const all = slots.flatMap(({ values }) => values.filter(Number.isFinite))
  const max = ceil(Math.max(0, ...all))
  const drawn = useDrawn(slots.length)
  const { width, step } = drawn
  const xOf = (index: number) => frame.left + (index + 0.5) * step
  const yOf = (value: number) => frame.top + innerHeight * (1 - value / max)
  return (
    <Figure {...props} drawn={drawn}>
      <Axis max={max} show={show} width={width} />
      {slots.map(({ label, tick }, index) =>
        tick === undefined ? null : <Tick key={label} x={xOf(index)} text={tick} />,
      )}
      {series.map(({ name, tone }, at) => {
        const points = slots.flatMap(({ label, values }, index) => {
          const value = values[at] ?? Number.NaN
          return Number.isFinite(value) ? [{ label, value, x: xOf(index), y: yOf(value) }] : []
        })
        const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`)
        return (
          <g key={name}>
            <path d={path.join(' ')} className={`chart-line ${tone}`} />
            {points.map(({ label, value, x, y }) => (
              <circle key={label} cx={x} cy={y} r={3} className={`chart-fill ${tone}`}>
                <title>
                  {label}: {name} {show(value)}
                </title>
              </circle>
            ))}
          </g>
        )
      })}
    </Figure>
  )
}

function Figure(props: ChartProps & { readonly drawn: Drawn; readonly children: React.ReactNode }) {
  const { title, series, slots, show = String, labelName = 'When', drawn, children } = props
  const id = useId()
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption id={id} className="row spread">
        <span>{title}</span>
        {series.length < 2 ? null : (
          <span className="row tight small-text">
            {series.map(({ name, tone }) => (
              <span key={name} className="row tight">
                <span aria-hidden="true" className={`chart-key ${tone}`} />
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <svg
        ref={drawn.svg}
        height={height}
        viewBox={`0 0 ${drawn.width} ${height}`}
        aria-hidden="true"
      >
        {children}
      </svg>
      <details className="small-text">
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable. */}
        <section className="chart-table" aria-label={title} tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th>{labelName}</th>
                {series.map(({ name }) => (
                  <th key={name}>{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {slots.map(({ label, values }) => (
                <tr key={label}>
                  <td className="foreign">{plainText(label, 200)}</td>
                  {series.map(({ name }, at) => (
                    <td key={name} className="number">
                      {Number.isFinite(values[at]) ? show(values[at] ?? 0) : '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}

function Axis(props: {
  readonly max: number
  readonly show: (v: number) => string
  readonly width: number
}) {
  const { max, show, width } = props
  return [0, 0.5, 1].map((share) => {
    const y = frame.top + innerHeight * (1 - share)
    return (
      <g key={share}>
        <line x1={frame.left} x2={width - frame.right} y1={y} y2={y} className="chart-grid" />
        <text x={frame.left - 6} y={y + 4} className="chart-text end">
          {share === 0.5 && max === 1 && show === String ? '' : show(max * share)}
        </text>
      </g>
    )
  })
}

function Tick({ x, text }: { readonly x: number; readonly text: string }) {
  return (
    <text x={x} y={height - 6} className="chart-text middle">
      {text}
    </text>
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((all, one) => all + (Number.isFinite(one) ? one : 0), 0)
}
