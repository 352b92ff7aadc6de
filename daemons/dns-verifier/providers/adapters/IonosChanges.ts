/**
 * Groups single records into a set, and computes the record changes that turn it into the wanted set. The order is
 * deterministic, so that a partial write is recognised by what it left. Pure.
 */
import type { Entry } from "#protocols/ionos-dns/Answer.ts"
import type { EntryChange } from "#protocols/ionos-dns/IonosDns.ts"
import { asciiName, canonical } from "./Contents.ts"
import { contentOf, entryOf } from "./IonosContents.ts"
import type { RecordSet } from "../../record-sets/RecordSet.ts"

export type Change =
  /** Changes a record in place, so that the name never lacks an answer. */
  | { readonly _tag: "Update"; readonly id: string; readonly change: EntryChange }
  | { readonly _tag: "Create"; readonly changes: ReadonlyArray<EntryChange> }
  | { readonly _tag: "Remove"; readonly id: string }

/** The set that these records of one name and type form; null when none is enabled. */
export const setOf = (name: string, type: string, entries: ReadonlyArray<Entry>): RecordSet | null => {
  const enabled = entries.filter(isEnabled)
  if (enabled.length === 0) return null
  const ttls = enabled.flatMap(({ ttl }) => ttl ?? [])
  return {
    name,
    type,
    ttl: ttls.length === 0 ? null : Math.min(...ttls),
    contents: [...new Set(enabled.map(contentOf))]
  }
}

/** Records of one full name and type. */
export const entriesAt = (entries: ReadonlyArray<Entry>, full: string, type: string): ReadonlyArray<Entry> =>
  entries.filter((entry) => entry.type === type && asciiName(entry.name) === full)

/** Changes in the order of execution. Disabled records stay, except that a wanted one is enabled. */
export const changesOf = (
  type: string,
  entries: ReadonlyArray<Entry>,
  after: RecordSet | null
): ReadonlyArray<Change> => {
  const wanted = [...new Set(after?.contents.map((content) => canonical(type, content)) ?? [])]
  const ttl = after?.ttl ?? undefined
  const kept = new Map<string, Entry>()
  const surplus: Array<Entry> = []
  for (const entry of entries.filter(isEnabled)) {
    const content = contentOf(entry)
    if (wanted.includes(content) && !kept.has(content)) kept.set(content, entry)
    else surplus.push(entry)
  }
  const retimed = [...kept.values()]
    .filter((entry) => ttl !== undefined && entry.ttl !== ttl)
    .map((entry): Change => ({ _tag: "Update", id: entry.id, change: asItIs(entry, ttl) }))
  const disabled = new Map(entries.filter((entry) => !isEnabled(entry)).map((entry) => [contentOf(entry), entry]))
  const missing = wanted.filter((content) => !kept.has(content))
  const enabled = missing.flatMap((content): ReadonlyArray<Change> => {
    const entry = disabled.get(content)
    return entry === undefined ? [] : [{ _tag: "Update", id: entry.id, change: asItIs(entry, ttl) }]
  })
  const added = missing.filter((content) => !disabled.has(content)).toSorted()
  const removed = surplus.toSorted(byContent)
  const pairs = Math.min(added.length, removed.length)
  const updated = removed
    .slice(0, pairs)
    .map((entry, at): Change => ({
      _tag: "Update",
      id: entry.id,
      change: { ...entryOf(type, added[at]!), ...timed(ttl ?? entry.ttl ?? undefined), disabled: false }
    }))
  // All records of a set have one TTL (RFC 2181 §5.2), so new records take that of the set.
  const own = setOf("", type, entries)?.ttl ?? undefined
  const created = added
    .slice(pairs)
    .map((content) => ({ ...entryOf(type, content), ...timed(ttl ?? own), disabled: false }))
  return [
    ...retimed,
    ...enabled,
    ...updated,
    ...(created.length === 0 ? [] : [{ _tag: "Create", changes: created } as const]),
    ...removed.slice(pairs).map((entry): Change => ({ _tag: "Remove", id: entry.id }))
  ]
}

/** Contents that a broken-off write from `before` to `after` can leave. */
export const between = (
  type: string,
  before: RecordSet | null,
  after: RecordSet | null
): ReadonlyArray<ReadonlyArray<string>> => {
  const [from, to] = [before, after].map(
    (set) => new Set(set?.contents.map((content) => canonical(type, content)))
  ) as [Set<string>, Set<string>]
  const added = [...to].filter((content) => !from.has(content)).toSorted()
  const removed = [...from].filter((content) => !to.has(content)).toSorted()
  const pairs = Math.min(added.length, removed.length)
  const now = new Set(from)
  const states: Array<ReadonlyArray<string>> = []
  const step = (gone: string | undefined, come: string | undefined) => {
    if (gone !== undefined) now.delete(gone)
    if (come !== undefined) now.add(come)
    states.push([...now])
  }
  for (let at = 0; at < pairs; at++) step(removed[at], added[at])
  for (const come of added.slice(pairs)) step(undefined, come)
  for (const gone of removed.slice(pairs)) step(gone, undefined)
  return states
}

const isEnabled = ({ disabled }: Entry): boolean => disabled !== true

const byContent = (one: Entry, other: Entry): number => (contentOf(one) < contentOf(other) ? -1 : 1)

const timed = (ttl: number | undefined): { readonly ttl?: number } => (ttl === undefined ? {} : { ttl })

/** The record unchanged, in the provider's spelling, enabled. */
const asItIs = ({ content, prio, ttl: own }: Entry, ttl: number | undefined): EntryChange => ({
  content,
  ...(prio === undefined || prio === null ? {} : { prio }),
  ...timed(ttl ?? own ?? undefined),
  disabled: false
})
