/** Plans for callers. Background plans are made and applied by PlanWorker and ApplyWorker. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import type { Events } from "#core/events/Events.ts"
import type { NotFound } from "#core/http/Problem.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import type { PlanUnderWay } from "../domain-store/Errors.ts"
import type { ProviderError } from "../providers/Exports.ts"
import type { DomainPending } from "#core/ownership/Errors.ts"
import type { NotManaged } from "./Errors.ts"
import { make, type PlanRequest } from "./Planning.ts"
import type { StoredPlan } from "./PlanStore.ts"
import type { ZoneConfig } from "./Settings.ts"
import type { ZoneAccess } from "./ZoneAccess.ts"

export class Zones extends Context.Service<
  Zones,
  {
    /**
     * Reads the zone and stores a plan of the changes, even when nothing has to change. Call outside transactions, and
     * only for a domain that the caller may see.
     */
    readonly plan: (
      request: PlanRequest
    ) => Effect.Effect<
      StoredPlan,
      DomainPending | NotFound | NotManaged | PlanUnderWay | ProviderError | SqlError.SqlError
    >
  }
>()("signalbox/dns-verifier/Zones") {}

type Needs = SqlClient.SqlClient | PgClient.PgClient | Database | Jobs | Events | ZoneAccess

/** `config`: settings that may change while the process runs. */
export const layer = (config: Pick<ZoneConfig, "platformIpv4" | "platformIpv6">): Layer.Layer<Zones, never, Needs> =>
  Layer.effect(
    Zones,
    Effect.map(Effect.context<Needs>(), (context) =>
      Zones.of({
        plan: (request) =>
          Effect.suspend(() => make(request, { ipv4: config.platformIpv4, ipv6: config.platformIpv6 })).pipe(
            Effect.provideContext(context)
          )
      })
    )
  )
