/** What strangers wrote into DNS, in a form that Postgres keeps as JSON. Pure. */

/**
 * Longest text that is kept of a record. Unit: UTF-16 units. Reason: twice what a DKIM key of 4096 bits takes; evidence
 * has to be read.
 */
const maxText = 2_000

/** Most items of a list that are kept. Reason: the same; a set of addresses or servers that is longer says no more. */
const maxItems = 50

/** No NUL, no lone surrogate (jsonb takes neither), no endless text. */
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
