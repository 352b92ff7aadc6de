/**
 * Metrics for Prometheus. Each family is declared once, at import, with name, help text and label names; a test lists
 * them all. The name gets the prefix `signalbox_` when metrics are scraped. Each series has the label `daemon`.
 *
 * A series is a typed array that is read at a scrape, so counting costs an addition. Code that counts often keeps the
 * series; `of` looks it up by its labels. The values of a label must come from a small fixed set.
 *
 * The labels of a series are formatted once, and its lines are kept until a value changes: at most scrapes most series
 * have not changed. PrometheusMetrics of effect 4.1.0 formats labels at every scrape, which takes most of its time.
 * Effect's own metrics are not exported: they have no help texts.
 *
 * Source: Prometheus, Exposition formats, text format 0.0.4.
 */
import { constVoid } from "effect/Function"

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
type Options<L extends string> = Declaration<L> & ({ readonly daemon: string } | { readonly daemon?: undefined })

export type Labels<L extends string> = { readonly [Name in L]: string }

/** Returns the lines of one series, without the last line break. */
type Lines = () => string

/** Makes the lines of one series. `name`: with prefix; `labels`: formatted, without braces. */
type MakeLines = (name: string, labels: string) => Lines

interface Declared extends Family {
  /** The lines with help text and type. */
  readonly head: string
  /** By formatted labels. */
  readonly series: Map<string, Lines>
}

const declared = new Map<string, Declared>()

/** All families of the modules that are loaded, in the order of their declaration. */
export const families = (): ReadonlyArray<Family> => [...declared.values()]

/** The text for Prometheus: every series that has a value. */
export const format = (): string => {
  const parts: Array<string> = []
  for (const { head, series } of declared.values()) {
    if (series.size === 0) continue
    parts.push(head)
    for (const lines of series.values()) parts.push(lines())
  }
  return `${parts.join("\n")}\n`
}

const textOf = (value: number): string => (value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value))

/** The only value of a counter or gauge. */
const one =
  (value: () => number): MakeLines =>
  (name, labels) => {
    const start = `${name}{${labels}} `
    let last: number | undefined
    let line = ""
    return () => {
      const now = value()
      if (now !== last) {
        last = now
        line = start + textOf(now)
      }
      return line
    }
  }

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
export const counter = <const L extends string = never>(name: string, options: Options<L>): Counter<L> => {
  const add = declare(name, "counter", options)
  const read = (labels: Labels<L>, value: () => number) => add(labels, one(value))
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
  options: Options<L> & { readonly bounds: ReadonlyArray<number> }
): SeriesOf<L, Distribution> => {
  const add = declare(name, "histogram", options)
  const bounds = Float64Array.from(options.bounds)
  const size = bounds.length
  const buckets = [...options.bounds.map(String), "+Inf"].map((bound) => `,le="${bound}"`)
  return {
    of: remembered<L, Distribution>((labels) => {
      // One count for each bucket, one for larger values, and the sum.
      const values = new Float64Array(size + 2)
      let kept: string | undefined
      add(labels, (name, labels) => () => (kept ??= linesOf(name, labels, buckets, values)))
      return {
        observe: (value) => {
          let index = 0
          while (index < size && value > bounds[index]!) index++
          values[index]! += 1
          values[size + 1]! += value
          kept = undefined
        }
      }
    })
  }
}

/** Lines of a histogram. `values`: a count for each bucket, and the sum. */
const linesOf = (name: string, labels: string, buckets: ReadonlyArray<string>, values: Float64Array): string => {
  const lines: Array<string> = []
  let count = 0
  for (let index = 0; index < buckets.length; index++) {
    count += values[index]!
    lines.push(`${name}_bucket{${labels}${buckets[index]!}} ${count}`)
  }
  lines.push(`${name}_sum{${labels}} ${values[buckets.length]!}`, `${name}_count{${labels}} ${count}`)
  return lines.join("\n")
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
export const gauge = <const L extends string = never>(name: string, options: Options<L>): Gauge<L> => {
  const add = declare(name, "gauge", options)
  const values = new Map<string, { value: number; readonly remove: () => void }>()
  const read = (labels: Labels<L>, value: () => number): (() => void) => add(labels, one(value))
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

/**
 * Records the family. The result adds a series, which replaces one with the same labels, and returns what removes it. A
 * name that is declared twice is a defect.
 */
const declare = (
  name: string,
  type: Family["type"],
  { daemon, help, labels = [] }: Options<string>
): ((labels: Readonly<Record<string, string>>, make: MakeLines) => () => void) => {
  if (declared.has(name)) throw new Error(`the metric ${name} is declared twice`)
  const series = new Map<string, Lines>()
  const full = `${prefix}_${name}`
  declared.set(name, {
    name,
    type,
    help,
    labels: daemon === undefined ? labels : ["daemon", ...labels],
    head: `# HELP ${full} ${help}\n# TYPE ${full} ${type}`,
    series
  })
  return (own, make) => {
    const all = Object.entries(daemon === undefined ? own : { daemon, ...own })
    const text = all.map(([label, value]) => `${label}="${escaped(value)}"`).join(",")
    const added = make(full, text)
    series.set(text, added)
    return () => {
      if (series.get(text) === added) series.delete(text)
    }
  }
}

const escaped = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n") : value

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
