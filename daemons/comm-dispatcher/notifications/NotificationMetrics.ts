/** Counts how notifications to users end, by channel. */
import { Effect } from "effect"
import * as Metrics from "#core/metrics/Metrics.ts"

const ended = Metrics.counter("notifications_total", {
  daemon: "comm-dispatcher",
  help: "Notifications to users that ended, by channel and outcome.",
  labels: ["channel", "outcome"]
})

/** Counts a notification. `outcome`: a word of the channel, such as `sent`, `refused` or `expired`. */
export const countNotification = (channel: "mail" | "messenger" | "push", outcome: string): Effect.Effect<void> =>
  Effect.sync(() => ended.add({ channel, outcome }))
