/**
 * FreeSWITCH's event socket, inbound mode: one connection that gives commands and hears the events of calls.
 * `keep` is the connection's life and belongs to a supervised actor; everything else uses whatever connection is up and
 * fails at once with `NotConnected` while there is none. It dials no call, judges none and repeats nothing.
 */
import { Context, type Duration, type Effect, type Queue, type Redacted, type Scope } from "effect"
import type { EventSocketError } from "./EventSocketError.ts"

export interface EventSocketOptions {
  readonly host: string
  /** Default `defaultPort`. */
  readonly port?: number
  readonly password: Redacted.Redacted
  /** For each step of the handshake: dialling, authentication, subscription. Default `Line.handshakeTimeout`. */
  readonly handshakeTimeout?: Duration.Duration
  /** Between two questions whether the switch is still there. Default `Line.probeInterval`. */
  readonly probeInterval?: Duration.Duration
  /** How long that question may stay unanswered. Default `Line.probeTimeout`. */
  readonly probeTimeout?: Duration.Duration
  /** Events to subscribe to. Default `Line.subscribed`; without BACKGROUND_JOB `bgapi` never ends. */
  readonly names?: ReadonlyArray<string>
  /** Subclasses of CUSTOM events, `sofia::register_failure`. Default none. */
  readonly subclasses?: ReadonlyArray<string>
}

/** Source: event_socket.conf.xml, listen-port. */
export const defaultPort = 8021

/** What happens on one channel, and to our hearing of it. */
export type ChannelEvent =
  /**
   * `uuid`: empty where the event is about no channel. `headers`: the event as the switch sent it (`Hangup-Cause`,
   * `variable_playback_ms`, …); a null-prototype record.
   */
  | {
      readonly _tag: "Event"
      readonly name: string
      readonly uuid: string
      readonly headers: Readonly<Record<string, string>>
    }
  /**
   * The connection ended: events are missed from here on. Also the first item when there is no connection to begin
   * with.
   */
  | { readonly _tag: "Lost" }
  /** Connected and subscribed again: `api uuid_exists` tells what became of the call. */
  | { readonly _tag: "Back" }

export class EventSocket extends Context.Service<
  EventSocket,
  {
    /**
     * Runs the connection: dials, authenticates, subscribes (json), reads until it ends, and then fails. Asks every
     * `probeInterval` whether the switch is still there. For a supervised actor; one at a time (a second is a defect).
     */
    readonly keep: Effect.Effect<never, EventSocketError>
    /** Whether a connection is up, authenticated and subscribed. */
    readonly connected: Effect.Effect<boolean>
    /**
     * `api …`: the answer's text, line end trimmed. An answer that begins `-ERR` or `-USAGE` fails as `Rejected`.
     * `timeout` defaults to `Line.apiTimeout` (3 s). Only for short commands: it blocks the connection, events too.
     */
    readonly api: (command: string, timeout?: Duration.Duration) => Effect.Effect<string, EventSocketError>
    /**
     * `bgapi …`: the job's result text (`+OK <uuid>`), line end trimmed; `-ERR …` and `-USAGE …` fail as `Rejected`,
     * whose `answer` holds the hang-up cause (HangupCause.causeFromAnswer). The job's uuid is ours (a random one by
     * default) and is awaited before the command goes out. `timeout` defaults to `Line.jobTimeout` (90 s). Interrupted
     * or timed out, the job goes on at the switch.
     */
    readonly bgapi: (
      command: string,
      options?: { readonly jobUuid?: string; readonly timeout?: Duration.Duration }
    ) => Effect.Effect<string, EventSocketError>
    /**
     * Events of one channel (Unique-ID, any case) from now on, in the order of the switch; so take it before the call
     * is dialled. Holds `Channels.maxBuffered` items, beyond that the oldest go. Ends with the scope. Each caller has a
     * queue of its own.
     */
    readonly events: (uuid: string) => Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope>
    /**
     * The same of all channels and of none (CUSTOM), but for BACKGROUND_JOB. Holds `Channels.maxHeard` items, beyond
     * that the oldest go.
     */
    readonly everything: Effect.Effect<Queue.Dequeue<ChannelEvent>, never, Scope.Scope>
  }
>()("signalbox/protocols/EventSocket") {}
