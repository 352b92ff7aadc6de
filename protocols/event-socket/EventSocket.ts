/**
 * Client of FreeSWITCH's event socket in inbound mode: one connection for commands and for the events of calls. `keep`
 * runs the connection and belongs to a supervised actor. All other functions use the open connection and fail at once
 * with `NotConnected` when there is none. This module does not dial calls, interpret them or retry anything.
 */
import { Context, type Duration, type Effect, type Queue, type Redacted, type Scope } from "effect"
import type { EventSocketError } from "./EventSocketError.ts"

export interface EventSocketOptions {
  readonly host: string
  /** Default `defaultPort`. */
  readonly port?: number
  readonly password: Redacted.Redacted
  /** Limit for each step of the handshake: connect, authentication, subscription. Default `Line.handshakeTimeout`. */
  readonly handshakeTimeout?: Duration.Duration
  /** Interval between probes of the switch. Default `Line.probeInterval`. */
  readonly probeInterval?: Duration.Duration
  /** Limit for the answer to a probe. Default `Line.probeTimeout`. */
  readonly probeTimeout?: Duration.Duration
  /** Events to subscribe to. Default `Line.subscribed`; without BACKGROUND_JOB, `bgapi` always times out. */
  readonly names?: ReadonlyArray<string>
  /** Subclasses of CUSTOM events, such as `sofia::register_failure`. Default none. */
  readonly subclasses?: ReadonlyArray<string>
}

/** Default port of the switch. Source: event_socket.conf.xml, listen-port. */
export const defaultPort = 8021

/** Item of a listener's queue: an event, or a change of the connection. */
export type ChannelEvent =
  /**
   * An event. `uuid`: the channel, empty when the event has none. `headers`: as sent by the switch (`Hangup-Cause`,
   * `variable_playback_ms`, …), a null-prototype record.
   */
  | {
      readonly _tag: "Event"
      readonly name: string
      readonly uuid: string
      readonly headers: Readonly<Record<string, string>>
    }
  /**
   * The connection ended, so events are missed from now on. Also the first item when the listener starts without a
   * connection.
   */
  | { readonly _tag: "Lost" }
  /** Connected and subscribed again. `api uuid_exists` shows whether the call still exists. */
  | { readonly _tag: "Back" }

export class EventSocket extends Context.Service<
  EventSocket,
  {
    /**
     * Runs the connection: connects, authenticates, subscribes (JSON) and reads until the connection ends, then fails.
     * It probes the switch every `probeInterval`. Run it in a supervised actor, once at a time; a second run is a
     * defect.
     */
    readonly keep: Effect.Effect<never, EventSocketError>
    /** Whether a connection is up, authenticated and subscribed. */
    readonly connected: Effect.Effect<boolean>
    /**
     * Runs `api …` and returns the answer without its line end. An answer that begins with `-ERR` or `-USAGE` fails as
     * `Rejected`. `timeout` defaults to `Line.apiTimeout` (3 s). Only for short commands, because it blocks the
     * connection including its events.
     */
    readonly api: (command: string, timeout?: Duration.Duration) => Effect.Effect<string, EventSocketError>
    /**
     * Runs `bgapi …` and returns the job's result (`+OK <uuid>`) without its line end. `-ERR …` and `-USAGE …` fail as
     * `Rejected`, whose `answer` holds the hang-up cause (HangupCause.causeFromAnswer). This client chooses the job's
     * uuid (random by default) and registers it before it sends the command. `timeout` defaults to `Line.jobTimeout`
     * (90 s). After an interruption or a timeout the switch continues the job.
     */
    readonly bgapi: (
      command: string,
      options?: { readonly jobUuid?: string; readonly timeout?: Duration.Duration }
    ) => Effect.Effect<string, EventSocketError>
    /**
     * Events of one channel (Unique-ID, any case) from now on, in the switch's order. Subscribe before dialling. The
     * queue holds `Channels.maxBuffered` items, then drops the oldest. It ends with the scope. Each caller has its own
     * queue.
     */
    readonly events: (uuid: string) => Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope>
    /**
     * Events of all channels and events without a channel (CUSTOM), except BACKGROUND_JOB. The queue holds
     * `Channels.maxHeard` items, then drops the oldest.
     */
    readonly everything: Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope>
  }
>()("signalbox/protocols/EventSocket") {}
