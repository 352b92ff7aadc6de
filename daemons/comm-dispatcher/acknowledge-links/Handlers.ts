import { Effect, Option } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { transaction } from "#core/sql/Sql.ts"
import { acknowledgeRun, noteAcknowledgedByLink, ResultCache } from "../alarms/Exports.ts"
import { readLink } from "../channels/Exports.ts"
import { alarmName, type RunView, RunViews } from "../runs/Exports.ts"
import { AcknowledgeLinkGone, AcknowledgeLinksApi, type LinkedAlarm } from "./Api.ts"

const gone = new AcknowledgeLinkGone({ detail: "The link was changed, is older than a week, or its alarm is deleted." })

/** Pure. */
const shown = (run: RunView): LinkedAlarm => ({
  title: run.title,
  severity: run.severity,
  state: run.state,
  received_at: run.received_at,
  delivered_count: run.delivered_count,
  target_count: run.target_count,
  acknowledged_at: run.acknowledged_at,
  acknowledged_by: run.acknowledged_by === null ? null : (run.acknowledged_name ?? run.acknowledged_by)
})

export const linkHandlers = Handlers.group(
  AcknowledgeLinksApi,
  "acknowledgeLinks",
  Effect.fn(function* (handlers) {
    const results = yield* ResultCache
    const read = yield* readLink

    /** The alarm of a token. Runs as the platform: the token names a run that we signed, of whatever tenant. */
    const alarmOf = Effect.fnUntraced(function* (token: string) {
      // An unreadable key file is a fault of the installation.
      const link = yield* Effect.orDie(read(token))
      if (link === undefined) return yield* gone
      const run = yield* orUnavailable(transaction(RunViews.getRun(link.runId)))
      return Option.isSome(run) && run.value.workflow === alarmName ? { link, run: run.value } : yield* gone
    })

    return handlers.handleAll({
      show: ({ payload }) => Effect.map(alarmOf(payload.token), ({ run }) => shown(run)),
      acknowledge: Effect.fnUntraced(function* ({ payload }) {
        const { link, run } = yield* alarmOf(payload.token)
        const target = run.targets.find(({ position }) => position === link.position)
        const by = target === undefined ? "link in a message" : `link to ${target.channel} ${target.target}`
        const found = yield* orUnavailable(
          transaction(Effect.tap(acknowledgeRun(link.runId, by), noteAcknowledgedByLink))
        )
        if (Option.isNone(found)) return yield* gone
        if (found.value.finished !== undefined) yield* results.remember(found.value.finished)
        return shown((yield* alarmOf(payload.token)).run)
      })
    })
  })
)
