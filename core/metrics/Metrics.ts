/**
 * Metrics for Prometheus. Each family is declared once, at import, with name, help text and label names; a test lists
 * them all. The name gets the prefix `signalbox_` when metrics are scraped. Each series has the label `daemon`.
 *
 * A series is a typed array that is read at a scrape, so counting costs an addition. Code that counts often keeps the
 * series; `of` looks it up by its labels. The values of a label must come from a small fixed set.
 *
 * Effect's own metrics and those of its modules use another registry and are not exported: they have no help texts.
 */
import { Context, Metric } from "effect"
import { constVoid } from "effect/Function"
import { PrometheusMetrics } from "effect/observability"

/** Prefix of all names. */
export const prefix = "signalbox"

/** A family as declared. */
export interface Family {
  /** Name without prefix. */
  readonly name: string
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  /** Names of all labels, `daemon` included. */
  readonly labels: ReadonlyArray<string>
}

interface Declaration<L extends string> {
  readonly help: string
  readonly labels?: ReadonlyArray<L>
}

/** A family of one daemon declares its name here; a family of core has the label `daemon` among its labels. */
type Declared<L extends string> = Declaration<L> & ({ readonly daemon: string } | { readonly daemon?: undefined })

export type Labels<L extends string> = { readonly [Name in L]: string }

const registry = Context.make(Metric.MetricRegistry, new Map())
const declared = new Map<string, Family>()

/** All families of the modules that are loaded, in the order of their declaration. */
export const families = (): ReadonlyArray<Family> => [...declared.values()]

/** The text for Prometheus: every series that has a value. */
export const format = (): string => PrometheusMetrics.formatUnsafe(registry, { prefix })

/** Content type of the text. */
export const contentType = "text/plain; version=0.0.4; charset=utf-8"

/** A family whose series exist from their first use. */
interface SeriesOf<L extends string, Series> {
  /** The series with these labels, created when it is new. */
  readonly of: (labels: Labels<L>) => Series
}

/** A count that only grows. Reset when the process starts. */
export interface Count {
  readonly add: (by?: number) => void
}

export interface Counter<L extends string> extends SeriesOf<L, Count> {
  readonly add: (labels: Labels<L>, by?: number) => void
  /** Adds a series whose value something else counts, and that is read at each scrape. The result removes it. */
  readonly read: (labels: Labels<L>, value: () => number) => () => void
}

/** Declares a counter; its name ends in `_total`. */
export const counter = <const L extends string = never>(name: string, options: Declared<L>): Counter<L> => {
  const fixed = declare(name, "counter", options)
  const read = (labels: Labels<L>, value: () => number) => {
    const series = Metric.counter(name, { description: options.help, attributes: { ...fixed, ...labels } })
    return register(series, () => ({ count: value(), incremental: true }))
  }
  const of = remembered<L, Count>((labels) => {
    const value = new Float64Array(1)
    read(labels, () => value[0]!)
    return {
      add: (by = 1) => {
        value[0]! += by
      }
    }
  })
  return { of, add: (labels, by) => of(labels).add(by), read }
}

/** Durations and sizes in buckets. */
export interface Distribution {
  readonly observe: (value: number) => void
}

/** Declares a histogram. `bounds`: upper bounds of the buckets, ascending, in the unit of the name. */
export const histogram = <const L extends string = never>(
  name: string,
  options: Declared<L> & { readonly bounds: ReadonlyArray<number> }
): SeriesOf<L, Distribution> => {
  const fixed = declare(name, "histogram", options)
  const bounds = Float64Array.from(options.bounds)
  const size = bounds.length
  return {
    of: remembered<L, Distribution>((labels) => {
      // One count for each bucket, one for larger values, and the sum.
      const values = new Float64Array(size + 2)
      const series = Metric.histogram(name, {
        description: options.help,
        boundaries: options.bounds,
        attributes: { ...fixed, ...labels }
      })
      register(series, () => {
        let count = 0
        const buckets = Array.from(bounds, (bound, index): [number, number] => [bound, (count += values[index]!)])
        return { buckets, count: count + values[size]!, min: 0, max: 0, sum: values[size + 1]! }
      })
      return {
        observe: (value) => {
          let index = 0
          while (index < size && value > bounds[index]!) index++
          values[index]! += 1
          values[size + 1]! += value
        }
      }
    })
  }
}

/** A value that is set, or read at a scrape. */
export interface Gauge<L extends string> {
  readonly set: (labels: Labels<L>, value: number) => void
  /** Adds a series whose value is read at each scrape. The result removes it. */
  readonly read: (labels: Labels<L>, value: () => number) => () => void
  /** Replaces all series by these. */
  readonly setAll: (series: ReadonlyArray<readonly [labels: Labels<L>, value: number]>) => void
}

/** Declares a gauge. */
export const gauge = <const L extends string = never>(name: string, options: Declared<L>): Gauge<L> => {
  const fixed = declare(name, "gauge", options)
  const values = new Map<string, { value: number; readonly remove: () => void }>()
  const read = (labels: Labels<L>, value: () => number): (() => void) => {
    const series = Metric.gauge(name, { description: options.help, attributes: { ...fixed, ...labels } })
    return register(series, () => ({ value: value() }))
  }
  const set = (labels: Labels<L>, value: number): void => {
    const key = keyOf(labels)
    const known = values.get(key)
    if (known !== undefined) {
      known.value = value
      return
    }
    const cell = { value, remove: constVoid }
    cell.remove = read(labels, () => cell.value)
    values.set(key, cell)
  }
  return {
    set,
    read,
    setAll: (series) => {
      const kept = new Set(series.map(([labels]) => keyOf(labels)))
      for (const [key, { remove }] of values) {
        if (kept.has(key)) continue
        remove()
        values.delete(key)
      }
      for (const [labels, value] of series) set(labels, value)
    }
  }
}

/** Records the family; returns its fixed labels. A name that is declared twice is a defect. */
const declare = (
  name: string,
  type: Family["type"],
  { daemon, help, labels = [] }: Declared<string>
): Readonly<Record<string, string>> => {
  if (declared.has(name)) throw new Error(`the metric ${name} is declared twice`)
  declared.set(name, { name, type, help, labels: daemon === undefined ? labels : ["daemon", ...labels] })
  return daemon === undefined ? {} : { daemon }
}

const keyOf = (labels: Readonly<Record<string, string>>): string => {
  let key = ""
  for (const name in labels) key += `${labels[name]}\n`
  return key
}

/** Creates each series once. The labels of a family must always be named in the same order. */
const remembered = <L extends string, Series>(create: (labels: Labels<L>) => Series) => {
  const known = new Map<string, Series>()
  return (labels: Labels<L>): Series => {
    const key = keyOf(labels)
    let series = known.get(key)
    if (series === undefined) {
      series = create({ ...labels })
      known.set(key, series)
    }
    return series
  }
}

const register = <Input, State>(series: Metric.Metric<Input, State>, get: () => State): (() => void) => {
  const registration = Metric.registerUnsafe(series, registry, { get, update: constVoid, modify: constVoid })
  return () => registration.remove()
}
