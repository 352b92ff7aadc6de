/** Stored result of the last check that found a change. Runs in the surrounding transaction. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Finding } from "./decide/Finding.ts"
import type { Observation } from "./observe/Observation.ts"
import { noSuchDomain } from "../domain-store/Domains.ts"
import type { Account } from "../domain-store/AccountStatus.ts"

export interface LastCheck {
  readonly mismatches: number
  /** Unit: minutes. */
  readonly check_every: number
  readonly findings: ReadonlyArray<Finding>
  readonly observation: Observation | null
  /** The account, from which the `dns_status` without a check follows. */
  readonly account: Account | null
}

export const lastCheckOf = Effect.fnUntraced(function* (domainId: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<LastCheck>`select d.mismatches, d.check_every, d.findings, d.observation,
      case when p.id is not null then json_build_object('type', p.type, 'has_credentials',
      p.credentials is not null) end as account
    from dns_verifier.domain d left join dns_verifier.dns_provider p on p.id = d.dns_provider_id
    where d.id = ${domainId}`
  return row ?? (yield* noSuchDomain)
})
