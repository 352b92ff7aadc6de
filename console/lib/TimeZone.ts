/**
 * Time zone in which pages show and read times: that of the account, else that of this device. Also converts between
 * times and the clock of that zone, for inputs of local times.
 */
import { computed, signal } from "@preact/signals"

/** Time zone of the signed-in account; null: as this device. */
export const accountZone = signal<string | null>(null)

/** Time zone of this device. */
export const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Whether this browser has the rules of a zone. */
const isKnown = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Value of `timeZone` for formats; undefined: the zone of this device, also for a zone that the browser lacks. */
export const zone = computed<string | undefined>(() => {
  const chosen = accountZone.value
  return chosen !== null && isKnown(chosen) ? chosen : undefined
})

const clocks = new Map<string | undefined, Intl.DateTimeFormat>()

const clock = (): Intl.DateTimeFormat => {
  const found =
    clocks.get(zone.value) ??
    new Intl.DateTimeFormat("en", {
      timeZone: zone.value,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit"
    })
  clocks.set(zone.value, found)
  return found
}

/**
 * Date and time of the zone's clock, such as `2026-01-31T09:00:30`; without the seconds as `datetime-local` inputs have
 * it. `at`: ISO 8601, or epoch milliseconds.
 */
export const clockText = (at: string | number): string => {
  const parts = Object.fromEntries(
    clock()
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value])
  )
  const { day, hour, minute, month, second, year = "" } = parts
  return `${year.padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}`
}

/** Day of the zone's calendar, ISO 8601. `at`: ISO 8601, or epoch milliseconds. */
export const clockDay = (at: string | number): string => clockText(at).slice(0, 10)

/** How far around a time a change of the zone's offset is looked for. Unit: milliseconds. */
const day = 86_400_000

/** Difference between the zone's clock and UTC. Unit: milliseconds. */
const offsetAt = (at: number): number => Date.parse(`${clockText(at)}Z`) - Math.floor(at / 1000) * 1000

/**
 * The time at which the zone's clock shows `text` first, such as `2026-01-31T09:00`; NaN for other texts. A time that
 * summer time skips counts with the offset from before. Unit: epoch milliseconds.
 */
export const timeAt = (text: string): number => {
  const local = Date.parse(`${text}Z`)
  if (Number.isNaN(local)) return Number.NaN
  const [before, after] = [offsetAt(local - day), offsetAt(local + day)]
  const fits = [local - Math.max(before, after), local - Math.min(before, after)].find(
    (at) => at + offsetAt(at) === local
  )
  return fits ?? local - before
}
