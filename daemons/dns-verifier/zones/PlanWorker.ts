/** Makes the plans that nobody asked for: a domain came under management, or what mail needs in it changed. */
import { Effect } from "effect"
import { Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import type { ProviderError } from "../providers/Adapter.ts"
import { makeAutomatic } from "./Planning.ts"
import { plainProblem, tell } from "./PlanTelling.ts"
import { maxReads, pauseAfter } from "./StepDecision.ts"
import type { PlatformAddresses } from "./Wanted.ts"
import { PlanWanted } from "./ZoneJobs.ts"

/** Plans in the making at once in one process. Reason: as for applying. */
const concurrency = 4

export interface PlanningOptions {
  readonly platform: PlatformAddresses
  /** SIGNALBOX_DNS_AUTO_APPLY. */
  readonly autoApply: boolean
  /** How long one is in pauses. Unit: milliseconds. */
  readonly minute: number
}

export const planWorker = (options: PlanningOptions) =>
  Effect.map(Jobs, (jobs) =>
    jobs.worker({
      type: PlanWanted,
      concurrency,
      handle: ({ data }) => {
        const { domain_id: domainId, reason, tenant_id: tenantId } = data
        return makeAutomatic({ tenantId, domainId, reason }, options.platform, options.autoApply).pipe(
          Effect.catchTags({
            // Gone, or by hand by now.
            NotFound: () => Effect.void,
            NotManaged: () => Effect.void,
            // What is applied now was planned before: look again when it has ended. That ends by itself, however it
            // does.
            PlanUnderWay: () => again(data, options.minute / 12, data.tries),
            PlanClosed: () => again(data, options.minute / 12, data.tries),
            ProviderError: (error) => troubled(data, error, options.minute)
          })
        )
      }
    })
  )

const again = (data: typeof PlanWanted.data.Type, pause: number, tries: number) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(PlanWanted, [{ data: { ...data, tries }, startAfter: new Date(Date.now() + pause) }])
  )

const troubled = (data: typeof PlanWanted.data.Type, error: ProviderError, minute: number) => {
  const pause = data.tries + 1 < maxReads ? pauseAfter(error, data.tries, minute) : undefined
  const problem = plainProblem(`The zone cannot be read: ${error.detail}`)
  return pause === undefined
    ? tenantTransaction(
        data.tenant_id,
        tell("failed", { planId: null, domainId: data.domain_id, stepsTotal: 0, stepsDone: 0, problem })
      )
    : again(data, pause, data.tries + 1)
}
