/** Filters of a page, stored in the URL, so that a filtered page can be shared and survives navigation. */
import { type Signal, useSignal } from "@preact/signals"
import { useLocation } from "preact-iso"
import { useEffect } from "preact/hooks"

export interface Filters<Name extends string> {
  readonly value: Readonly<Record<Name, string>>
  readonly set: (name: Name, value: string) => void
  /** Whether a filter differs from its default. */
  readonly isSet: boolean
  /** Returns all filters to their defaults. */
  readonly clear: () => void
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

/** The query of `search` with the filters replaced. Other members stay, such as the account. Pure. */
export const beside = <Name extends string>(
  search: string,
  value: Readonly<Record<Name, string>>,
  defaults: Readonly<Record<Name, string>>
): string => {
  const others = [...new URLSearchParams(search)].filter(([name]) => !(name in defaults))
  const query = new URLSearchParams([...others, ...new URLSearchParams(write(value, defaults))])
  return query.size === 0 ? "" : `?${query}`
}

export const useFilters = <const Name extends string>(defaults: Readonly<Record<Name, string>>): Filters<Name> => {
  const held: Signal<Record<Name, string>> = useSignal(read(location.search, defaults))
  // A link to the same page with other filters, such as one of the command palette.
  const { url } = useLocation()
  useEffect(() => {
    held.value = read(location.search, defaults)
  }, [url])
  const change = (value: Record<Name, string>) => {
    held.value = value
    history.replaceState(history.state, "", location.pathname + beside(location.search, value, defaults))
  }
  return {
    value: held.value,
    set: (name, value) => change({ ...held.value, [name]: value }),
    isSet: write(held.value, defaults) !== "",
    clear: () => change({ ...defaults })
  }
}
