/**
 * Extension events for other daemons: number and owner of each. Each event carries the whole state after the change, so
 * a reader keeps the highest `version`. The newest event of each extension is kept (StateEvents.ts). Passwords are in
 * no event.
 */
import { Schema } from "effect"
import { define } from "../events/Events.ts"

/** One extension after a change. */
export const SipExtension = Schema.Struct({
  extension_id: Schema.Int,
  tenant_id: Schema.Int,
  /** Number of the extension; letters are in lower case. */
  extension: Schema.String,
  name: Schema.String,
  /** SIP domain. */
  domain: Schema.String,
  user_id: Schema.NullOr(Schema.Int),
  enabled: Schema.Boolean,
  state: Schema.Literals(["active", "deleted"]),
  /** Increases with every change of any extension. */
  version: Schema.Int
})
export type SipExtension = typeof SipExtension.Type

export const SipExtensionCreated = define("sip.extension.created", SipExtension)
export const SipExtensionChanged = define("sip.extension.changed", SipExtension)
export const SipExtensionDeleted = define("sip.extension.deleted", SipExtension)

/** Matches all extension events, for readers that only need the current state. */
export const sipExtensionPattern = "sip.extension.*"
