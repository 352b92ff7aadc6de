/** Which of the forms of an answer somebody takes. Pure. Source: RFC 9110 §12.5.3. */

/** In our order of preference. */
export const encodings = ["br", "gzip", "identity"] as const
export type Encoding = (typeof encodings)[number]

/** A longer header counts as none. Unit: UTF-16 units. Reason: browsers send fewer than fifty. */
export const maxHeader = 300

const weightShape = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/**
 * The one with most weight, ours of several. Who refuses all gets the plain one: an answer is worth more than a 406.
 */
export const encodingFrom = (accepted: string | undefined): Encoding => {
  if (accepted === undefined || accepted.length > maxHeader) return "identity"
  const weights = new Map<string, number>()
  for (const item of accepted.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim())
    const weight =
      parameters.length === 0 ? 1 : parameters.length === 1 ? Number(weightShape.exec(parameters[0]!)?.[1]) : Number.NaN
    // What cannot be read is not there.
    if (!Number.isNaN(weight)) weights.set(coding === "x-gzip" ? "gzip" : coding, weight)
  }
  const others = weights.get("*")
  // Plain is acceptable unless refused, and least wanted unless named.
  const weightOf = (encoding: Encoding): number =>
    weights.get(encoding) ?? others ?? (encoding === "identity" ? leastWeight : 0)
  return (
    encodings.filter((encoding) => weightOf(encoding) > 0).toSorted((a, b) => weightOf(b) - weightOf(a))[0] ??
    "identity"
  )
}

/** Less than any that can be written. */
const leastWeight = 0.0005
