/** Everything that is wanted of a domain's DNS, to be looked for. Runs in the surrounding transaction. */
import { Effect } from "effect"
import type { Domain } from "./Domains.ts"
import { mailRecordsOf } from "./MailRecords.ts"
import * as Records from "./Records.ts"

export const wantedRecords = Effect.fnUntraced(function* (domain: Pick<Domain, "id" | "name" | "tenant_id">) {
  const rows = yield* Records.list(domain.id)
  return {
    platform: rows.filter(({ source }) => source === "platform"),
    user: rows.filter(({ source }) => source === "user"),
    mail: yield* mailRecordsOf(domain)
  }
})

export type WantedRecords = Effect.Success<ReturnType<typeof wantedRecords>>
