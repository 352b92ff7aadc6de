/** Works on the delivery queues, one worker per channel. */
import { Effect } from "effect"
import { Jobs } from "#core/jobs/Jobs.ts"
import { type Channel, channels } from "../../vocabulary/Exports.ts"
import { ResultCache } from "../run/ResultCache.ts"
import * as AlarmMetrics from "../AlarmMetrics.ts"
import type { AlarmConfig } from "../Settings.ts"
import { deliverTarget } from "./DeliverTarget.ts"
import { deliveries, ownPriority } from "./DeliveryJobs.ts"

interface Workers {
  /** Maximum number of jobs handled at once in one process. */
  readonly all: number
  /** Of these, reserved for the provider's own jobs. */
  readonly reserved: number
  /** Jobs of users of one tenant at once, in the fleet. Reason: a quarter leaves room for other tenants. */
  readonly perTenant: number
}

/**
 * Workers of each channel:
 * - webhook: one host has at most `mostPerHost` of them; the rest serve other hosts while one hangs.
 * - messenger: one message is sent at a time; the second job is claimed ahead of its turn.
 * - messenger_voice: speech takes seconds, so a tenant's message must not occupy all.
 * - call: most jobs wait for the call lock, the most severe first. A job left in the queue could not overtake them.
 */
const workers: Record<Channel, Workers> = {
  call: { all: 64, reserved: 16, perTenant: 16 },
  messenger: { all: 2, reserved: 1, perTenant: 1 },
  messenger_voice: { all: 3, reserved: 1, perTenant: 1 },
  webhook: { all: 64, reserved: 16, perTenant: 16 },
  sms: { all: 2, reserved: 1, perTenant: 1 }
}

export const deliveryWorkers = (config: AlarmConfig) =>
  Effect.gen(function* () {
    const results = yield* ResultCache
    AlarmMetrics.prepare()
    for (const channel of channels) {
      yield* Jobs.worker({
        type: deliveries[channel],
        concurrency: workers[channel].all,
        perGroup: workers[channel].perTenant,
        reserved: { workers: workers[channel].reserved, priority: ownPriority },
        handle: (job) =>
          Effect.flatMap(deliverTarget(job, channel, config), (finished) =>
            finished === undefined ? Effect.void : results.remember(finished)
          )
      })
    }
  })
