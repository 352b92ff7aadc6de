/** Helpers of the management handlers. */
import { Effect } from "effect"
import { invalid } from "./AdminChange.ts"

/** Fails with 422 when a change names no field besides `updated_at`. */
export const notEmpty = (payload: { readonly updated_at?: string }) =>
  Object.keys(payload).every((name) => name === "updated_at")
    ? Effect.fail(invalid("payload", "must have at least one field"))
    : Effect.void

/**
 * One page of a list. `found` has at most one row more than `limit`; the cursor is the row's number, which the answer
 * does not show.
 */
export const pagedBy = <A extends { readonly number: number }, V>(
  found: ReadonlyArray<A>,
  limit: number,
  view: (row: A) => V
) => {
  const rows = found.slice(0, limit)
  return { items: rows.map((row) => view(row)), next_before: found.length > limit ? rows.at(-1)!.number : null }
}
