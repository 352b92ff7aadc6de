/**
 * Which files the signer's directory has to hold, and what is missing or too much there. Pure; knows names and numbers
 * of keys, no key itself. Source of the forms: rspamd's module dkim_signing (`path` with `$domain.$selector.key`,
 * `selector_map`).
 */
import { firstSelector } from "../DkimKeys.ts"
import type { KeyState } from "../Domains.ts"

/** A key that is in the table. */
export interface HeldKey {
  readonly id: number
  readonly domain: string
  readonly selector: string
  readonly state: KeyState
}

/** The file that says which key signs for a domain. */
export const mapName = "selectors.map"

/** Longest name of a file. Unit: bytes. Source: NAME_MAX of Linux. */
const maxName = 255

/** The name of a key's file. */
export const fileOf = ({ domain, selector }: HeldKey): string => `${domain}.${selector}.key`

/**
 * Whether a file can be called like this key: a domain of more than some 240 characters has none, and is not signed
 * for.
 */
export const hasFile = (key: HeldKey): boolean => fileOf(key).length <= maxName

/** Whether the file is one that only we make. Others' files in the directory are left alone. */
export const isKeyFile = (name: string): boolean => keyFile.test(name)

const keyFile = new RegExp(`^[a-z0-9.-]+\\.${firstSelector}\\d*\\.key$`)

export interface Steps {
  /** Keys whose file is missing, or not known to hold them. */
  readonly write: ReadonlyArray<HeldKey>
  /** Files of keys that are gone; to be removed once the map no longer names them. */
  readonly remove: ReadonlyArray<string>
}

/**
 * What to do. `names`: every file that is there; `right`: number of the key that a file is known to hold. Every key has
 * a file, also the next one, so that it is there when it begins to sign, and a retired one, which comes back when the
 * active one is lost.
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
 * The text of the map: a line `<domain> <selector>` for each domain that can be signed for. It names no key whose file
 * is not there: then the one before signs on, whose record still stands, or nobody. `right` as above.
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
