/** Finds the mail domain that a person names at the command line. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fail } from "#core/cli/Ending.ts"
import { Domains } from "../domains/Exports.ts"

/** Finds a domain by its id, or by a name that only one tenant has. */
export const meant = Effect.fnUntraced(function* (which: string) {
  const sql = yield* SqlClient.SqlClient
  const found = /^\d{1,9}$/.test(which)
    ? [{ id: Number(which), tenant_id: 0 }]
    : yield* sql<{ id: number; tenant_id: number }>`select id, tenant_id from mail_admin.domain
        where domain = ${which.toLowerCase()} order by id`
  if (found.length > 1) {
    const ids = found.map(({ id, tenant_id: tenant }) => `${id} (tenant ${tenant})`).join(", ")
    return yield* fail(`several tenants claim ${which}. Name one of these ids: ${ids}`)
  }
  const [one] = found
  if (one === undefined) return yield* fail(`the mail domain ${which} does not exist`)
  return yield* Effect.catchTag(Domains.get(one.id), "NotFound", () => fail(`the mail domain ${which} does not exist`))
})
