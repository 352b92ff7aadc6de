/** Makes values from DNS safe to store as jsonb. Pure. */

/** Longest stored text. Unit: UTF-16 units. Reason: twice a DKIM key of 4096 bits. */
const maxText = 2_000

/** Maximum number of stored items of a list. Reason: longer lists add no evidence. */
const maxItems = 50

/** Removes NUL and lone surrogates, which jsonb refuses, and shortens texts and lists. */
export const boundedEvidence = <A>(value: A): A =>
  JSON.parse(
    JSON.stringify(value, (_key, item: unknown) =>
      typeof item === "string"
        ? item.slice(0, maxText).replaceAll("\0", "\u{fffd}").toWellFormed()
        : Array.isArray(item) && item.length > maxItems
          ? item.slice(0, maxItems)
          : item
    )
  ) as A
