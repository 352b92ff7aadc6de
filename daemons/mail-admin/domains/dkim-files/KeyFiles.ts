/**
 * Decides which files the signer's directory must contain, and which are missing or obsolete. Pure; handles names and
 * ids of keys, not the keys. Source of the formats: rspamd's module dkim_signing (`path` with `$domain.$selector.key`,
 * `selector_map`).
 */
import { firstSelector } from "../DkimKeys.ts"
import type { KeyState } from "../Domains.ts"

/** A key in the table. */
export interface HeldKey {
  readonly id: number
  readonly domain: string
  readonly selector: string
  readonly state: KeyState
}

/** File that maps each domain to its signing key. */
export const mapName = "selectors.map"

/** Longest file name. Unit: bytes. Source: NAME_MAX of Linux. */
const maxName = 255

/** File name of a key. */
export const fileOf = ({ domain, selector }: HeldKey): string => `${domain}.${selector}.key`

/** Whether the key's file name is short enough. Mail of domains with more than about 240 characters is not signed. */
export const hasFile = (key: HeldKey): boolean => fileOf(key).length <= maxName

/** Whether the file name is one of ours. Other files in the directory are not touched. */
export const isKeyFile = (name: string): boolean => keyFile.test(name)

const keyFile = new RegExp(`^[a-z0-9.-]+\\.${firstSelector}\\d*\\.key$`)

export interface Steps {
  /** Keys whose file is missing or may contain a different key. */
  readonly write: ReadonlyArray<HeldKey>
  /** Files of deleted keys, to be removed after the map no longer names them. */
  readonly remove: ReadonlyArray<string>
}

/**
 * Computes the differences. `names`: all existing files; `right`: id of the key that a file is known to contain. Every
 * key has a file. The next key needs one when it starts to sign, and a retired key signs again if the active one is
 * lost.
 */
export const decide = (
  keys: ReadonlyArray<HeldKey>,
  names: Iterable<string>,
  right: ReadonlyMap<string, number>
): Steps => {
  const wanted = new Map(keys.filter(hasFile).map((key) => [fileOf(key), key]))
  return {
    write: [...wanted].flatMap(([name, key]) => (right.get(name) === key.id ? [] : [key])),
    remove: [...names].filter((name) => isKeyFile(name) && !wanted.has(name))
  }
}

/**
 * Content of the map: a line `<domain> <selector>` for each domain that can be signed for. It names only keys whose
 * file exists. Without that file the previous key keeps signing, as its record is still published; without any key the
 * domain is left out. `right`: as for `decide`.
 */
export const selectorMap = (keys: ReadonlyArray<HeldKey>, right: ReadonlyMap<string, number>): string => {
  const signing = new Map<string, HeldKey>()
  for (const key of keys) {
    const other = signing.get(key.domain)
    if (key.state !== "next" && right.get(fileOf(key)) === key.id && (other === undefined || isBefore(other, key)))
      signing.set(key.domain, key)
  }
  const lines = [...signing.values()].map(({ domain, selector }) => `${domain} ${selector}\n`)
  return `# Which key signs for which domain. Written by mail-admin: changes are lost.\n${lines.toSorted().join("")}`
}

const isBefore = (other: HeldKey, key: HeldKey): boolean =>
  other.state === key.state ? other.id < key.id : key.state === "active"
