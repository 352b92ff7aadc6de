/** Makes plans in the background: a domain has become managed, or its mail needs other records. */
import { Effect } from "effect"
import { type ClaimedJob, Jobs } from "#core/jobs/Jobs.ts"
import { tenantTransaction } from "#core/sql/Sql.ts"
import { makeAutomatic } from "./Planning.ts"
import { plainProblem, publish } from "./PlanNotices.ts"
import { longRetry, maxReads, pauseAfter } from "./StepDecision.ts"
import { type Delay, postponed } from "./ZoneChange.ts"
import type { ZoneConfig } from "./Settings.ts"
import { PlanWanted } from "../domain-store/PlanRequests.ts"
import type { ProviderError } from "../providers/Exports.ts"

/** Plans made at once in one process. Reason: as for ApplyWorker. */
const concurrency = 4

/** `config`: settings of which the addresses may change while the process runs. */
export const planWorker = (config: ZoneConfig) => ({
  type: PlanWanted,
  concurrency,
  handle: ({ data }: ClaimedJob<typeof PlanWanted.data.Type>) => {
    const { dnsAutoApply: autoApply, dnsMinute: minute, dnsSettle: settle } = config
    const { platformIpv4: ipv4, platformIpv6: ipv6 } = config
    const { domain_id: domainId, reason, tenant_id: tenantId } = data
    return makeAutomatic({ tenantId, domainId, reason }, { ipv4, ipv6 }, { autoApply, settle }).pipe(
      Effect.catchTags({
        // The domain is deleted, or its DNS is no longer managed.
        NotFound: () => Effect.void,
        NotManaged: () => Effect.void,
        // The proof requests a plan.
        DomainPending: () => Effect.void,
        // The running plan may predate this request, so plan again when it has ended. It always ends by itself.
        PlanUnderWay: () => again(data, minute / 12, data.tries),
        ProviderError: (error) => troubled(data, error, minute)
      })
    )
  }
})

const again = (data: typeof PlanWanted.data.Type, pause: number, tries: number) =>
  Effect.flatMap(Jobs, (jobs) =>
    jobs.send(PlanWanted, [{ data: { ...data, tries }, startAfter: new Date(Date.now() + pause) }])
  )

/**
 * Repeats planning after the pauses of `pauseAfter`, and hourly after `maxReads` failures, when the admins are notified
 * once. An error that needs a person is not repeated.
 */
const troubled = (data: typeof PlanWanted.data.Type, error: ProviderError, minute: number) => {
  const pause = pauseAfter(error, data.tries, minute)
  const problem = plainProblem(`The zone cannot be read: ${error.detail}`)
  const isLong = data.tries + 1 >= maxReads
  const retryAt =
    pause === undefined ? null : new Date(Date.now() + (isLong ? Math.max(pause, longRetry * minute) : pause))
  return tenantTransaction(
    data.tenant_id,
    Effect.gen(function* () {
      yield* postponed(data.domain_id, delayOf(error), problem, retryAt)
      if (retryAt === null || data.tries + 1 === maxReads)
        yield* publish("failed", { planId: null, domainId: data.domain_id, stepsTotal: 0, stepsDone: 0, problem })
      const jobs = yield* Jobs
      if (retryAt !== null)
        yield* jobs.send(PlanWanted, [{ data: { ...data, tries: data.tries + 1 }, startAfter: retryAt }])
    })
  )
}

/** Why planning waits after this error. Pure. */
const delayOf = ({ reason }: ProviderError): Delay => {
  switch (reason) {
    case "rate_limited":
      return "rate_limited"
    case "unavailable":
    case "conflict":
    case "action_failed":
      return "provider_unreachable"
    default:
      return "provider_refused"
  }
}
