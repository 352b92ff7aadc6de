/**
 * Parses a `mailto:` URI. The result is untrusted text; ComposeLink cleans it. Pure. Source: RFC 6068 §2.
 *
 * The class URL reads `+` in the query of a mailto URI as a blank, and does not refuse invalid escapes.
 */
import type { ComposeParameters } from "#core/html/ComposeLink.ts"

/**
 * Undefined for an invalid URI or escape. Only the fields to, cc, subject and body are read: other fields are unsafe
 * (§4), and Bcc is the writer's choice. `+` is a literal plus. The first subject and the first body count.
 */
export const parseMailto = (uri: string): ComposeParameters | undefined => {
  const [, addresses, query = ""] = /^mailto:([^?#]*)(?:\?([^#]*))?(?:#.*)?$/is.exec(uri.trim()) ?? []
  const to = addresses === undefined ? undefined : decoded(addresses)
  if (to === undefined) return undefined
  const found = { to: [to], cc: [], subject: [], body: [] } as Record<"to" | "cc" | "subject" | "body", Array<string>>
  // `&amp;` is an escape of HTML, not of a URI, and stays.
  for (const field of query.split("&")) {
    const [name, value] = [field.slice(0, Math.max(0, field.indexOf("="))), field.slice(field.indexOf("=") + 1)].map(
      decoded
    )
    if (name === undefined || value === undefined) return undefined
    const known = name.toLowerCase()
    if (Object.hasOwn(found, known)) found[known as keyof typeof found].push(value)
  }
  return { to: found.to.join(","), cc: found.cc.join(","), subject: found.subject[0], body: found.body[0] }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
