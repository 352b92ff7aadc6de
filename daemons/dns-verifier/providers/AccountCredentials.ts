/** Syntax checks of account credentials, before any call to the provider. Pure. */
import { isProviderType, type ProviderType, types } from "../domain-store/ProviderTypes.ts"

/** Values by field name. */
export type AccountCredentials = Readonly<Record<string, string>>

/** Problem of one field; `field` is its name within `credentials`. The message contains no sent value. */
export interface CredentialProblem {
  readonly field: string
  readonly message: string
}

/** Longest secret. Unit: UTF-16 units. Reason: tokens have 32 to 128, and servers accept headers longer than this. */
const maxSecret = 512

/** Longest address. Unit: UTF-16 units. Reason: browsers and proxies accept about this length. */
const maxUrl = 2_048

/** All problems of the credentials for an account of this type; empty when they can be tried. */
export const credentialProblems = (
  type: ProviderType,
  given: Readonly<Record<string, unknown>>
): ReadonlyArray<CredentialProblem> => {
  const fields = types[type].credentials
  const unknown = Object.keys(given).filter(
    (name) => given[name] !== undefined && !fields.some((field) => field.name === name)
  )
  return [
    ...unknown.map((field) => ({
      field,
      message:
        fields.length === 0 ? `${types[type].title} takes no credentials` : `${types[type].title} has no such field`
    })),
    ...fields.flatMap(({ name, required }) => {
      const value = given[name]
      const message =
        value === undefined
          ? required
            ? "is required"
            : undefined
          : typeof value === "string"
            ? problemOf(type, name, value)
            : "must be a text"
      return message === undefined ? [] : [{ field: name, message }]
    })
  ]
}

/** Parses the content of an opened envelope; undefined when it does not fit the type. */
export const readCredentials = (type: string, text: string): AccountCredentials | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isProviderType(type) || typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
      return undefined
    return credentialProblems(type, parsed as Record<string, unknown>).length === 0
      ? (parsed as AccountCredentials)
      : undefined
  } catch {
    return undefined
  }
}

const problemOf = (type: ProviderType, name: string, value: string): string | undefined => {
  if (type === "provider_e" && name === "url") return urlProblem(value)
  if (value.length > maxSecret) return `must have at most ${maxSecret} characters`
  // The value becomes a header, in which a line break would start another header.
  if (!/^[\x21-\x7e]+$/.test(value)) return "must be printable ASCII without spaces"
  if (type === "provider_a" && /^[A-Za-z0-9]{32}$/.test(value))
    return (
      "is a token of the former DNS Console, which no longer works; create a token in the Cloud project that has " +
      "the zones"
    )
  // The first dot of the key separates prefix and secret.
  if (type === "provider_b" && name === "prefix" && value.includes("."))
    return "must be the part of the key before the dot"
  if (type === "provider_e" && name === "server_id" && !/^[A-Za-z0-9_-]+$/.test(value))
    return "must be letters, digits, hyphens and underscores"
  return undefined
}

const urlProblem = (value: string): string | undefined => {
  if (value.length > maxUrl) return `must have at most ${maxUrl} characters`
  const url = URL.parse(value)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:"))
    return "must be an address such as https://dns.example.org"
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password"
  return url.search === "" && url.hash === "" ? undefined : "must have no query and no fragment"
}
