/**
 * Contracts of the alarm path between daemons: the job that starts a workflow, and the events about its progress and
 * end.
 */
import { Schema } from "effect"
import * as Events from "../events/Events.ts"
import * as Jobs from "../jobs/Jobs.ts"

/** Event type of an alarm mail. Source: interface document 1 §2.4. */
export const alarmReceived = "email.alarm.received"

/**
 * Longest mail text in a trigger; the rest is cut. Unit: characters. Reason: text that is spoken or sent is far
 * shorter.
 */
export const maxBodyLength = 64 * 1024

/** Payload of an alarm trigger, with the field names of the interface document. */
export const AlarmPayload = Schema.Struct({
  email_subject: Schema.String,
  email_body: Schema.String,
  /** Header From: the claimed sender of the alarm, whose permission is checked. */
  email_from: Schema.String
})
export type AlarmPayload = typeof AlarmPayload.Type

/** Origin of a trigger, for the ledger. */
export const AlarmSource = Schema.Struct({
  kind: Schema.Literals(["imap", "smtp", "api", "operator"]),
  /** User who sent the request; absent for service tokens. Only for `api`. */
  user_id: Schema.optionalKey(Schema.Int),
  /** Alarm mailbox; only for `imap`. */
  mailbox: Schema.optionalKey(Schema.String),
  /** SMTP envelope sender, kept beside the header From. */
  envelope_from: Schema.optionalKey(Schema.String),
  /** Recipients of the SMTP envelope. */
  envelope_to: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Header Message-ID, including its angle brackets. */
  message_id: Schema.optionalKey(Schema.String),
  /** Message ids of In-Reply-To. A reply to an alarm mail acknowledges the run of that mail. */
  in_reply_to: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Topmost Authentication-Results header, unfolded: the checks of the receiving mail server (RFC 8601). */
  authentication_results: Schema.optionalKey(Schema.String),
  /** Address of the SMTP client; only for `smtp`. */
  client_address: Schema.optionalKey(Schema.String),
  /** The SMTP client authenticated (SMTP AUTH). Either `true` or absent; only for `smtp`. */
  authenticated: Schema.optionalKey(Schema.Boolean)
})
export type AlarmSource = typeof AlarmSource.Type

/**
 * Starts an alarm workflow. The receiving daemon sends it in the transaction that stores the alarm. The key names the
 * source (mailbox, UIDVALIDITY and UID, or the SMTP transaction), so sending it twice starts one run.
 */
export const AlarmTrigger = Jobs.define(
  "alarm.trigger",
  Schema.Struct({
    /** Permanent identity of the trigger: the ledger holds at most one run per key. */
    trigger_key: Schema.String,
    event_type: Schema.String,
    payload: AlarmPayload,
    source: AlarmSource,
    tenant_id: Schema.Int,
    /** When the alarm arrived, ISO 8601. */
    received_at: Schema.String,
    /**
     * An operator at this machine sent the trigger: the sender check does not apply. Never set for external triggers.
     */
    operator: Schema.optionalKey(Schema.Boolean),
    /** A service token sent the trigger. Set by the API only. */
    platform: Schema.optionalKey(Schema.Boolean),
    /**
     * For an operator's demonstration: one additional loopback address and port that webhooks of this alarm may call.
     */
    admit: Schema.optionalKey(Schema.String)
  })
)

/** An alarm run has ended. */
export const AlarmFinished = Events.define(
  "alarm.finished",
  Schema.Struct({
    run_id: Schema.String,
    state: Schema.Literals([
      "delivered",
      "partly_delivered",
      "failed",
      "uncertain",
      "acknowledged",
      "rejected",
      "duplicate",
      "acknowledgement"
    ]),
    severity: Schema.NullOr(Schema.String),
    targets: Schema.Int,
    delivered: Schema.Int,
    /** First line of the alarm's text; only for an alarm that did not reach all targets. */
    title: Schema.optionalKey(Schema.String),
    /** The first targets that were not reached, without the secrets in their addresses; only as `title`. */
    missed: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({ channel: Schema.String, target: Schema.String, reason: Schema.NullOr(Schema.String) })
      )
    ),
    /** Why the subject of an allowed sender is no alarm; only then. Masks the targets. */
    mistake: Schema.optionalKey(Schema.String)
  })
)

/** An attempt at a target began or ended. All other details are in the run. */
export const AlarmProgress = Events.define(
  "alarm.progress",
  Schema.Struct({
    run_id: Schema.String,
    /** Position of the target in the run's list. */
    position: Schema.Int,
    target_state: Schema.Literals(["pending", "attempting", "delivered", "failed", "uncertain", "suppressed"]),
    /** Attempt number, starting at 1. */
    attempt: Schema.Int,
    attempt_state: Schema.Literals(["attempting", "delivered", "failed", "uncertain", "interrupted"])
  })
)

/** Somebody acknowledged a run. Calls not yet started and planned repetitions were suppressed. */
export const AlarmAcknowledged = Events.define(
  "alarm.acknowledged",
  Schema.Struct({
    run_id: Schema.String,
    /** Who acknowledged: `mail from …`, `key 1 on +49…`, `user 7`. */
    by: Schema.String,
    suppressed: Schema.Int
  })
)
