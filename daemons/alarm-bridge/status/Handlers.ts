import { Effect } from "effect"
import * as Handlers from "#core/http/Handlers.ts"
import { Caller, providerTenant } from "#core/auth/Caller.ts"
import { Forbidden, orUnavailable } from "#core/http/Problem.ts"
import { liveSettings } from "#core/settings/LiveSettings.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { BridgeApi } from "./Api.ts"
import { BridgeState } from "../intake/BridgeState.ts"
import { actorName, listAll, mailboxesSettings } from "../mailboxes/Exports.ts"

/** Handlers of the status endpoint. */
export const bridge = Handlers.group(
  BridgeApi,
  "alarm-bridge",
  Effect.fn(function* (handlers) {
    const supervisor = yield* Supervisor
    const state = yield* BridgeState
    const config = yield* liveSettings({ mailboxes: mailboxesSettings.mailboxes })
    return handlers.handle(
      "status",
      Effect.fnUntraced(function* () {
        const caller = yield* Caller
        if (caller.kind === "user" && caller.tenantId !== providerTenant) {
          return yield* new Forbidden({ detail: "Only the provider's users may see the alarm mailboxes." })
        }
        const cursors = new Map((yield* orUnavailable(listAll)).map((row) => [row.mailbox, row]))
        const actors = new Map((yield* supervisor.statuses).map((status) => [status.name, status]))
        return {
          mailboxes: config.mailboxes.map(({ name }) => {
            const actor = actors.get(actorName(name))
            const seen = state.mailboxes.get(name)
            const cursor = cursors.get(name)
            return {
              name,
              detection: seen?.detection ?? null,
              state: actor?.state ?? "stopped",
              last_seen_uid: cursor === undefined ? null : Number(cursor.last_uid),
              last_mail_at: cursor?.last_mail_at?.toISOString() ?? null,
              error: seen?.error ?? null
            }
          }),
          smtp: { ...state.smtp, port: state.smtp.port ?? null }
        }
      })
    )
  })
)
