/**
 * Configuration templates of services: JSON whose texts contain placeholders. Pure. Source: interface document 2 §2.4.
 */
import { Schema } from "effect"

/** The placeholders that a template may contain. */
export const placeholders = ["base_url", "user_slug", "email", "domain", "display_name"] as const
export type Placeholder = (typeof placeholders)[number]

/** Value of each placeholder for one user. */
export type PlaceholderValues = Readonly<Record<Placeholder, string>>

/** Longest template. Unit: UTF-16 units of its JSON. Reason: it is part of every answer to a device. */
const maxTemplate = 4_000

/** A JSON object. */
export type Template = { readonly [key: string]: Schema.Json }

/** Placeholders of a text that do not exist. */
const unknownIn = (json: string): ReadonlyArray<string> =>
  Array.from(json.matchAll(/\{(\w+)\}/g), ([, name]) => name!).filter(
    (name) => !placeholders.some((known) => known === name)
  )

/** A template in a request; a placeholder that does not exist is refused. */
export const ConfigTemplate = Schema.Record(Schema.String.check(Schema.isMaxLength(50)), Schema.Json).check(
  Schema.makeFilter((template: Template) => {
    const json = JSON.stringify(template)
    if (json.length > maxTemplate) return `must not be longer than ${maxTemplate}`
    if (/(?<!\\)(\\\\)*\\u(0000|d[89a-f])/.test(json)) return "must not hold NUL or lone surrogates"
    const [unknown] = unknownIn(json)
    return unknown === undefined ? undefined : `the placeholder {${unknown}} does not exist`
  })
)

/** Values of the placeholders. `base`: host of the tenant, with a port where the address has one. */
export const valuesFor = (user: {
  readonly base: string
  readonly email: string
  readonly displayName: string
}): PlaceholderValues => ({
  base_url: user.base,
  user_slug: user.email.replaceAll("@", "_at_"),
  email: user.email,
  domain: user.email.slice(user.email.lastIndexOf("@") + 1),
  display_name: user.displayName
})

/**
 * The template with the values in place of the placeholders. In an address (`https://…`) a value other than the host is
 * percent-encoded, so that it stays one segment of the path. Elsewhere the host has no port, because other protocols
 * have ports of their own. A value that looks like a placeholder is left as it is.
 */
export const fill = (template: Template, values: PlaceholderValues): Template =>
  Object.fromEntries(Object.entries(template).map(([key, value]) => [key, filled(value, values)]))

const filled = (value: Schema.Json, values: PlaceholderValues): Schema.Json => {
  if (typeof value === "string") return filledText(value, values)
  if (Array.isArray(value)) return value.map((item: Schema.Json) => filled(item, values))
  if (typeof value === "object" && value !== null) return fill(value as Template, values)
  return value
}

const filledText = (text: string, values: PlaceholderValues): string => {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name as Placeholder] : undefined
    if (value === undefined) return whole
    if (name === "base_url") return isAddress ? value : value.replace(/:\d+$/, "")
    return isAddress ? encodeURIComponent(value) : value
  })
}
