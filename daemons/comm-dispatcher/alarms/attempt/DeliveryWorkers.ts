/** Works on the delivery queues, one worker per channel. */
import { Effect } from "effect"
import { Jobs } from "#core/jobs/Jobs.ts"
import { type Channel, channels } from "../../vocabulary/Exports.ts"
import { ResultCache } from "../run/ResultCache.ts"
import type { AlarmConfig } from "../Settings.ts"
import { deliverTarget } from "./DeliverTarget.ts"
import { deliveries } from "./DeliveryJobs.ts"

/**
 * Maximum number of jobs handled at once in one process:
 * - webhook: one host has at most `mostPerHost` of them; the rest serve other hosts while one hangs.
 * - messenger: one message is sent at a time; the second job is claimed ahead of its turn.
 * - call: most jobs wait for the call lock, the most severe first. A job left in the queue could not overtake them.
 */
const concurrency: Record<Channel, number> = { call: 64, messenger: 2, messenger_voice: 1, webhook: 64, sms: 1 }

export const deliveryWorkers = (config: AlarmConfig) =>
  Effect.gen(function* () {
    const results = yield* ResultCache
    for (const channel of channels) {
      yield* Jobs.worker({
        type: deliveries[channel],
        concurrency: concurrency[channel],
        handle: (job) =>
          Effect.flatMap(deliverTarget(job, channel, config), (finished) =>
            finished === undefined ? Effect.void : results.remember(finished)
          )
      })
    }
  })
