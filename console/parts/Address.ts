/** Filters of a page, stored in the URL, so that a filtered page can be shared and survives navigation. */
import { type Signal, useSignal } from "@preact/signals"

export interface Filters<Name extends string> {
  readonly value: Readonly<Record<Name, string>>
  readonly set: (name: Name, value: string) => void
}

/** Filter values of a URL query. Pure. */
export const read = <Name extends string>(
  search: string,
  defaults: Readonly<Record<Name, string>>
): Record<Name, string> => {
  const query = new URLSearchParams(search)
  return Object.fromEntries(
    Object.entries<string>(defaults).map(([name, usual]) => [name, query.get(name) ?? usual])
  ) as Record<Name, string>
}

/** URL query for the filter values; default values are omitted. Pure. */
export const write = <Name extends string>(
  value: Readonly<Record<Name, string>>,
  defaults: Readonly<Record<Name, string>>
): string => {
  const query = new URLSearchParams(
    Object.entries<string>(value).filter(([name, one]) => one !== defaults[name as Name])
  )
  return query.size === 0 ? "" : `?${query}`
}

export const useFilters = <const Name extends string>(defaults: Readonly<Record<Name, string>>): Filters<Name> => {
  const held: Signal<Record<Name, string>> = useSignal(read(location.search, defaults))
  return {
    value: held.value,
    set: (name, value) => {
      held.value = { ...held.value, [name]: value }
      history.replaceState(history.state, "", location.pathname + write(held.value, defaults))
    }
  }
}
