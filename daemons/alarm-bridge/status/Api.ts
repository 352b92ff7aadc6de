import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "#core/auth/Authentication.ts"
import { Requires } from "#core/auth/Permissions.ts"
import * as Api from "#core/http/Api.ts"

export const MailboxStatus = Schema.Struct({
  name: Schema.String,
  /** How new mail is detected; null while this process does not watch the mailbox. */
  detection: Schema.NullOr(Schema.Literals(["idle", "polling"])),
  /** `elsewhere`: another process of the fleet watches the mailbox. `waiting`: the watcher failed and will restart. */
  state: Schema.Literals(["elsewhere", "running", "waiting", "stopped", "escalated"]),
  last_seen_uid: Schema.NullOr(Schema.Int),
  /** In ISO 8601 format. */
  last_mail_at: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "MailboxStatus" })

export const BridgeStatus = Schema.Struct({
  mailboxes: Schema.Array(MailboxStatus),
  smtp: Schema.Struct({
    state: Schema.Literals(["off", "starting", "listening", "waiting"]),
    host: Schema.String,
    port: Schema.NullOr(Schema.Int)
  })
}).annotate({ identifier: "BridgeStatus" })
export type BridgeStatus = typeof BridgeStatus.Type

const bridge = HttpApiGroup.make("alarm-bridge")
  .add(
    HttpApiEndpoint.get("status", "/status", { success: BridgeStatus }).annotateMerge(
      OpenApi.annotations({ summary: "State of the alarm mailboxes and the SMTP listener in this process" })
    )
  )
  .middleware(Authentication)
  .prefix("/api/v1/alarm-bridge")
  .annotate(Requires, "workflows.manage")

export const BridgeApi = Api.make("bridge-status").add(bridge)
