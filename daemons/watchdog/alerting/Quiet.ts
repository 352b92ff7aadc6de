/** Silences and maintenance: whose messages are kept back. Pure. All times in epoch milliseconds. */
import type { Incident } from "./Incident.ts"

export interface Silence {
  readonly id: string
  /** Pattern with `*` for any text; null: any. */
  readonly keyPattern: string | null
  readonly groupPattern: string | null
  readonly startsAt: number
  readonly endsAt: number
}

/** Announced maintenance of the status page. `names`: ids of its components. */
export interface Maintenance {
  readonly id: string
  readonly names: ReadonlyArray<string>
  readonly startsAt: number
  readonly endsAt: number
}

export interface Quiet {
  readonly silences: ReadonlyArray<Silence>
  readonly maintenance: ReadonlyArray<Maintenance>
}

export const noQuiet: Quiet = { silences: [], maintenance: [] }

type Named = Pick<Incident, "key" | "group">

/**
 * Whether `text` matches `pattern`, in which `*` stands for any text, also none. Capital letters count. Takes linear
 * time for each `*`.
 */
export const matchesPattern = (pattern: string, text: string): boolean => {
  const [first = "", ...rest] = pattern.split("*")
  if (rest.length === 0) return pattern === text
  const last = rest.pop()!
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let from = first.length
  const end = text.length - last.length
  for (const part of rest) {
    const found = text.indexOf(part, from)
    if (found === -1 || found + part.length > end) return false
    from = found + part.length
  }
  return true
}

const within = ({ endsAt, startsAt }: { readonly startsAt: number; readonly endsAt: number }, now: number) =>
  startsAt <= now && now < endsAt

/** Whether the silence names the alert. */
export const covers = ({ groupPattern, keyPattern }: Silence, { group, key }: Named): boolean =>
  (keyPattern === null || matchesPattern(keyPattern, key)) &&
  (groupPattern === null || matchesPattern(groupPattern, group))

/** The silence that keeps the alert back now. */
export const silenceOf = (alert: Named, { silences }: Quiet, now: number): Silence | undefined =>
  silences.find((silence) => within(silence, now) && covers(silence, alert))

/**
 * The maintenance that keeps the alert back now: one of its components is the alert's group, or a word of its key, such
 * as `webmail` in `container webmail`.
 */
export const maintenanceOf = ({ group, key }: Named, { maintenance }: Quiet, now: number): Maintenance | undefined => {
  const words = key.split(" ")
  return maintenance.find(
    (window) => within(window, now) && window.names.some((name) => name === group || words.includes(name))
  )
}

/** Whether nobody is told of the alert now. */
export const isQuiet = (alert: Named, quiet: Quiet, now: number): boolean =>
  silenceOf(alert, quiet, now) !== undefined || maintenanceOf(alert, quiet, now) !== undefined
