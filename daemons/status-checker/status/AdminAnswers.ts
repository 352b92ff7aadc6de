/** What the handlers for those who run the page share. */
import { Effect } from "effect"
import { invalid } from "./AdminChange.ts"

/** Fails with 422 when a change names nothing. */
export const notEmpty = (payload: { readonly updated_at?: string }) =>
  Object.keys(payload).every((name) => name === "updated_at")
    ? Effect.fail(invalid("payload", "must have one of its fields"))
    : Effect.void

/** The page of what was read with one row more than `limit`; the cursor is a number that is not shown. */
export const pagedBy = <A extends { readonly number: number }, V>(
  found: ReadonlyArray<A>,
  limit: number,
  view: (row: A) => V
) => {
  const rows = found.slice(0, limit)
  return { items: rows.map((row) => view(row)), next_before: found.length > limit ? rows.at(-1)!.number : null }
}
