/** The zones of domains: plans made for callers, and the loops that make and apply plans by themselves. */
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Database } from "#core/sql/Database.ts"
import type { Events } from "#core/events/Events.ts"
import type { NotFound } from "#core/http/Problem.ts"
import type { Jobs } from "#core/jobs/Jobs.ts"
import type { ActorSpec } from "#core/supervision/Supervisor.ts"
import type { DnsVerifierConfig } from "../Config.ts"
import type { NotManaged, PlanUnderWay } from "../Errors.ts"
import type { ProviderError } from "../providers/Adapter.ts"
import { applyWorker } from "./Applying.ts"
import { mailDomainFeed } from "./MailDomainFeed.ts"
import { make, type PlanRequest } from "./Planning.ts"
import type { StoredPlan } from "./PlanStore.ts"
import { planWorker } from "./PlanWorker.ts"
import type { ZoneAccess } from "./ZoneAccess.ts"

export class Zones extends Context.Service<
  Zones,
  {
    /**
     * Reads the zone and answers what has to change in it, also when that is nothing. Call outside transactions, and
     * only for a domain that the caller may see. Applying, dropping and listing are functions of PlanState and
     * PlanStore.
     */
    readonly plan: (
      request: PlanRequest
    ) => Effect.Effect<StoredPlan, NotFound | NotManaged | PlanUnderWay | ProviderError | SqlError.SqlError>
    readonly actors: ReadonlyArray<ActorSpec<any>>
  }
>()("signalbox/dns-verifier/Zones") {}

type Ground = SqlClient.SqlClient | PgClient.PgClient | Database | Jobs | Events | ZoneAccess

export const layer = ({
  dnsAutoApply: autoApply,
  dnsMinute: minute,
  platformIpv4: ipv4,
  platformIpv6: ipv6
}: Pick<DnsVerifierConfig, "dnsAutoApply" | "dnsMinute" | "platformIpv4" | "platformIpv6">): Layer.Layer<
  Zones,
  never,
  Ground
> =>
  Layer.effect(
    Zones,
    Effect.gen(function* () {
      const ground = yield* Effect.context<Ground>()
      const platform = { ipv4, ipv6 }
      const inGround = (spec: ActorSpec<any>): ActorSpec<any> => ({
        ...spec,
        run: Effect.provideContext(spec.run, ground)
      })
      return Zones.of({
        plan: (request) => Effect.provideContext(make(request, platform), ground),
        actors: [
          yield* planWorker({ platform, autoApply, minute }),
          yield* applyWorker(minute),
          yield* mailDomainFeed
        ].map(inGround)
      })
    })
  )
