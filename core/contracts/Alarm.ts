/**
 * The alarm path between daemons: what starts a workflow, and what is told when it has ended.
 */
import { Schema } from "effect"
import * as Events from "../events/Events.ts"
import * as Jobs from "../jobs/Jobs.ts"

/** The event type of an alarm mail. Source: interface document 1 §2.4. */
export const alarmReceived = "email.alarm.received"

/** Longest mail text that travels. Unit: characters. Reason: what is spoken or sent is far shorter; the rest is cut. */
export const maxBodyLength = 64 * 1024

/** The payload of an alarm trigger, as the interface names it. */
export const AlarmPayload = Schema.Struct({
  email_subject: Schema.String,
  email_body: Schema.String,
  /** The header From; who the alarm claims to be from, and whose permission is checked. */
  email_from: Schema.String
})
export type AlarmPayload = typeof AlarmPayload.Type

/** Where a trigger came from, for the ledger. */
export const AlarmSource = Schema.Struct({
  kind: Schema.Literals(["imap", "smtp", "api", "operator"]),
  /** The alarm mailbox, for `imap`. */
  mailbox: Schema.optionalKey(Schema.String),
  /** SMTP envelope sender, kept beside the header From. */
  envelope_from: Schema.optionalKey(Schema.String),
  /** SMTP envelope recipients. */
  envelope_to: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Header Message-ID as written, with its angle brackets. */
  message_id: Schema.optionalKey(Schema.String),
  /** The message ids of In-Reply-To: an answer to an alarm mail acknowledges its run. */
  in_reply_to: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The topmost Authentication-Results header, unfolded and whole: what the receiving mail server found (RFC 8601). */
  authentication_results: Schema.optionalKey(Schema.String),
  /** The peer that handed the mail in, for `smtp`. */
  client_address: Schema.optionalKey(Schema.String),
  /** The peer signed in before it handed the mail in (SMTP AUTH). Only ever `true`, and only for `smtp`. */
  authenticated: Schema.optionalKey(Schema.Boolean)
})
export type AlarmSource = typeof AlarmSource.Type

/**
 * Starts an alarm workflow. Sent by whoever took the alarm in, in the transaction that makes it durable, keyed by where
 * it came from (mailbox, UIDVALIDITY and UID, or the SMTP transaction), so that sending it twice starts it once.
 */
export const AlarmTrigger = Jobs.define(
  "alarm.trigger",
  Schema.Struct({
    /** Names the trigger for good: the ledger holds at most one run for it. */
    trigger_key: Schema.String,
    event_type: Schema.String,
    payload: AlarmPayload,
    source: AlarmSource,
    tenant_id: Schema.Int,
    /** ISO 8601; when the alarm reached us. */
    received_at: Schema.String,
    /** An operator's own act at this machine: the sender check does not apply. Never set for anything from outside. */
    operator: Schema.optionalKey(Schema.Boolean),
    /** For an operator's demonstration: one more loopback address and port this alarm's webhooks may reach. */
    admit: Schema.optionalKey(Schema.String)
  })
)

/** One alarm run has come to its end. */
export const AlarmFinished = Events.define(
  "alarm.finished",
  Schema.Struct({
    run_id: Schema.String,
    state: Schema.Literals([
      "delivered",
      "partly_delivered",
      "failed",
      "acknowledged",
      "rejected",
      "duplicate",
      "acknowledgement"
    ]),
    severity: Schema.NullOr(Schema.String),
    targets: Schema.Int,
    delivered: Schema.Int
  })
)

/** An attempt at one of a run's targets began or ended; the run itself says the rest. */
export const AlarmProgress = Events.define(
  "alarm.progress",
  Schema.Struct({
    run_id: Schema.String,
    /** Of the target, as the run lists them. */
    position: Schema.Int,
    target_state: Schema.Literals(["pending", "attempting", "delivered", "failed", "uncertain", "suppressed"]),
    /** Its number, from 1. */
    attempt: Schema.Int,
    attempt_state: Schema.Literals(["attempting", "delivered", "failed", "uncertain", "interrupted"])
  })
)

/** Somebody took a run on; what had not yet rung or repeated was stopped. */
export const AlarmAcknowledged = Events.define(
  "alarm.acknowledged",
  Schema.Struct({
    run_id: Schema.String,
    /** `mail from …`, `key 1 on +49…`, `user 7`. */
    by: Schema.String,
    suppressed: Schema.Int
  })
)
