/**
 * What a page is filtered by, kept in the address: it can be sent to somebody, and is still there when one comes back.
 */
import { type Signal, useSignal } from "@preact/signals"

export interface Filters<Name extends string> {
  readonly value: Readonly<Record<Name, string>>
  readonly set: (name: Name, value: string) => void
}

/** What an address' query says of these names. Pure. */
export const read = <Name extends string>(
  search: string,
  defaults: Readonly<Record<Name, string>>
): Record<Name, string> => {
  const query = new URLSearchParams(search)
  return Object.fromEntries(
    Object.entries<string>(defaults).map(([name, usual]) => [name, query.get(name) ?? usual])
  ) as Record<Name, string>
}

/** The query for it; what is as usual is not said. Pure. */
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
