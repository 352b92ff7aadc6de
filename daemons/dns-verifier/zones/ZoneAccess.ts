/** Opens the zone of a domain with the domain's account. Call outside transactions. */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { NotFound } from "#core/http/Problem.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { zoneOf, inZone, domainPart } from "../record-sets/ZoneNames.ts"
import { hasAdapter } from "../domain-store/ProviderTypes.ts"
import type { RecordSet, Zone } from "../record-sets/RecordSet.ts"
import { DomainPending } from "#core/ownership/Errors.ts"
import { NotManaged } from "./Errors.ts"
import { type Adapter, ProviderError, Adapters, Credentials } from "../providers/Exports.ts"

/** The domain's part of a zone; names are relative to the domain. */
export interface OpenZone {
  /** `all`: number of record sets in the whole zone. */
  readonly read: Effect.Effect<{ readonly sets: ReadonlyArray<RecordSet>; readonly all: number }, ProviderError>
  /** As Adapter.write. */
  readonly write: (
    place: { readonly type: string; readonly name: string },
    before: RecordSet | null,
    after: RecordSet | null
  ) => Effect.Effect<void, ProviderError>
}

export class ZoneAccess extends Context.Service<
  ZoneAccess,
  {
    readonly open: (
      tenantId: number,
      domainId: number
    ) => Effect.Effect<OpenZone, DomainPending | NotFound | NotManaged | ProviderError | SqlError.SqlError>
  }
>()("signalbox/dns-verifier/ZoneAccess") {}

interface Account {
  readonly name: string
  readonly proven: boolean
  readonly id: number | null
  readonly type: string | null
  readonly credentials: string | null
}

export const layer: Layer.Layer<ZoneAccess, never, SqlClient.SqlClient | Credentials.Credentials | Adapters> =
  Layer.effect(
    ZoneAccess,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const credentials = yield* Credentials.Credentials
      const adapters = yield* Adapters
      return ZoneAccess.of({
        open: Effect.fnUntraced(function* (tenantId, domainId) {
          const [account] = yield* Effect.provideService(
            tenantTransaction(
              tenantId,
              sql<Account>`select d.name, d.proven, p.id, p.type, p.credentials
          from dns_verifier.domain d left join dns_verifier.dns_provider p on p.id = d.dns_provider_id
          where d.id = ${domainId}`
            ),
            SqlClient.SqlClient,
            sql
          )
          if (account === undefined) return yield* new NotFound({ detail: "The domain does not exist." })
          if (!account.proven)
            return yield* new DomainPending({ detail: "Publish the TXT record of the domain's challenge first." })
          const { credentials: envelope, id, name, type } = account
          if (id === null || type === null || envelope === null || !hasAdapter(type)) {
            return yield* new NotManaged({
              detail: "Give the domain an account at its DNS provider, with credentials."
            })
          }
          const adapter = yield* adapters.of(type, yield* credentials.open(id, envelope))
          const zone = zoneOf(name, yield* adapter.zones)
          return zone === undefined
            ? yield* new ProviderError({
                reason: "zone_not_found",
                detail: `The account has no zone for ${name}.`,
                retryAfter: null
              })
            : opened(adapter, zone, name)
        })
      })
    })
  )

const opened = (adapter: Adapter, zone: Zone, domain: string): OpenZone => {
  const named = (set: RecordSet | null) => (set === null ? null : { ...set, name: inZone(set.name, domain, zone.name) })
  return {
    read: Effect.map(adapter.read(zone), (sets) => ({ sets: domainPart(domain, zone.name, sets), all: sets.length })),
    write: ({ name, type }, before, after) =>
      adapter.write(zone, { type, name: inZone(name, domain, zone.name) }, named(before), named(after))
  }
}
