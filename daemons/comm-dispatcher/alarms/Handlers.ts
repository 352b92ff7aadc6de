import { randomUUID } from "node:crypto"
import { Effect, Option } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, tenantOf } from "#core/auth/Caller.ts"
import * as Idempotency from "#core/http/Idempotency.ts"
import { orUnavailable } from "#core/http/Problem.ts"
import { CommHealth } from "../channels/Exports.ts"
import { linkOf, RunViews } from "../runs/Exports.ts"
import { callStart } from "./CallStart.ts"
import { DispatchResponse } from "./CommAnswers.ts"
import { type DirectRequest, fromCall, fromMessenger, fromMessengerVoice, fromNotify } from "./trigger/DirectRequest.ts"
import { Heartbeat } from "./Heartbeat.ts"
import { ofCall, ofNotify } from "./limits/RequestedCalls.ts"
import { type Requested, RequestLimits } from "./limits/RequestLimits.ts"
import { noteMade } from "./run/RunAudit.ts"
import { ResultCache } from "./run/ResultCache.ts"
import type { Finished } from "./run/FinishRun.ts"
import { StartRun } from "./run/StartRun.ts"
import { AlarmsApi } from "./Api.ts"

/** Reason shown at once for a target of the unsupported channel. The ledger records it when the target's turn comes. */
const unsupported = "unsupported: no sms channel is served here"

export const commHandlers = Handlers.group(
  AlarmsApi,
  "comm",
  Effect.fn(function* (handlers) {
    const startRun = yield* StartRun
    const results = yield* ResultCache
    const health = yield* CommHealth
    const heartbeat = yield* Heartbeat

    const limits = yield* RequestLimits

    /** Starts the run of the request, once per idempotency key. */
    const dispatch = Effect.fnUntraced(function* (
      key: string | undefined,
      body: unknown,
      request: DirectRequest,
      requested: Requested = { severity: request.severity, calls: [] }
    ) {
      const caller = yield* Caller
      const tenantId = tenantOf(caller)
      const userId = caller.kind === "user" ? caller.userId : undefined
      yield* limits.checkRequest(requested)
      let finished: Finished | undefined
      const create = Effect.gen(function* () {
        yield* limits.checkQuota(requested.calls.length)
        const started = yield* startRun.dispatch({ ...request, triggerKey: `api:${randomUUID()}`, tenantId, userId })
        finished = started.finished
        yield* noteMade(
          { id: started.id, tenantId },
          { event_type: request.eventType, targets: request.targets.length }
        )
        const targets = Option.match(yield* RunViews.getRun(started.id), {
          onNone: () => [],
          onSome: (run) => run.targets
        })
        const run = linkOf(started.id)
        return {
          run_id: started.id,
          state: started.state,
          targets: targets.map(({ channel, fallback_of, reason, state, target }) => ({
            fallback_of,
            channel,
            target,
            state,
            reason: reason ?? (channel === "sms" ? unsupported : null)
          })),
          links: { run, acknowledge: `${run}/acknowledge` }
        }
      })
      const answer = yield* orUnavailable(
        Idempotency.once({ key, endpoint: request.eventType, body, response: DispatchResponse, create })
      )
      if (finished !== undefined) yield* results.remember(finished)
      return answer
    })

    return handlers.handleAll({
      call: Effect.fnUntraced(function* ({ headers, payload }) {
        const answer = yield* dispatch(headers["idempotency-key"], payload, fromCall(payload), ofCall(payload))
        return { ...answer, result: yield* orUnavailable(callStart(answer.run_id)) }
      }),
      messenger: ({ headers, payload }) => dispatch(headers["idempotency-key"], payload, fromMessenger(payload)),
      messengerVoice: ({ headers, payload }) =>
        dispatch(headers["idempotency-key"], payload, fromMessengerVoice(payload)),
      notify: ({ headers, payload }) =>
        dispatch(headers["idempotency-key"], payload, fromNotify(payload), ofNotify(payload)),
      health: () => health.report,
      heartbeat: () => heartbeat.send
    })
  })
)
