/** The call channel: the connection to the switch, the call lock, and the settings of calls. */
import { Context, Duration, Effect, Layer, type Option, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Database } from "#core/sql/Database.ts"
import { lineOptions, missingOf, switchValues } from "#core/config/SwitchSettings.ts"
import type { Component } from "#core/daemon/Health.ts"
import { rebuilt, untilReplaced } from "#core/settings/LiveSettings.ts"
import { Speech } from "#core/speech/Speech.ts"
import type { SpeechConfig } from "#core/speech/SpeechSettings.ts"
import { SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { reconfigured } from "#core/supervision/Reconfigured.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { EventSocket } from "#protocols/event-socket/EventSocket.ts"
import * as Line from "#protocols/event-socket/Line.ts"
import type { Outcome } from "../Outcome.ts"
import * as Call from "./Call.ts"
import * as CallLock from "./CallLock.ts"
import type { CallConfig } from "./CallSettings.ts"

export class CallChannel extends Context.Service<
  CallChannel,
  {
    /** Waits before an attempt begins: for the switch, the audio, and the turn among all calls of the fleet. */
    readonly turn: (request: Call.CallDelivery) => Effect.Effect<Turn, never, Scope.Scope>
    /** Takes the turn and makes the call. */
    readonly deliver: (request: Call.CallDelivery) => Effect.Effect<Outcome>
    /** Outcome of an attempt whose process died; none when unknown. Takes up to 30 s while the switch is away. */
    readonly recover: (request: Call.CallDelivery) => Effect.Effect<Option.Option<Outcome>>
    /** State of the connection to the switch, without a request. */
    readonly status: Effect.Effect<Component>
    /** Asks the switch; with `latency_ms` when it answers. */
    readonly check: Effect.Effect<Component>
  }
>()("signalbox/comm-dispatcher/CallChannel") {}

export type Turn =
  | Extract<Call.CallTurn, { readonly _tag: "PutOff" }>
  | { readonly _tag: "Go"; readonly deliver: (request: Call.CallDelivery) => Effect.Effect<Outcome> }

export type CallChannelConfig = CallConfig & Pick<SpeechConfig, "speechDir">

/** `config` has present values. The context also contains the `EventSocket`. */
export const layer = (
  config: CallChannelConfig
): Layer.Layer<CallChannel | EventSocket, never, Database | SqlClient.SqlClient | Speech | SpeechUrls | Supervisor> =>
  Layer.effect(CallChannel, make(config)).pipe(
    Layer.provide(
      CallLock.layer({
        wait: Duration.millis(config.callLockWait),
        perGateway: config.callsPerGateway,
        reserved: config.callsReserved
      })
    ),
    Layer.provideMerge(Line.layer(lineOptions(config)))
  )

/**
 * Reconnects within seconds after the switch is back, and tries at most once in 3 s while the switch refuses the
 * password.
 */
const reconnecting: Backoff.Backoff = { ...Backoff.standard, name: "switch", max: Duration.seconds(3) }

const make = Effect.fnUntraced(function* (config: CallChannelConfig) {
  const socket = yield* EventSocket
  const lock = yield* CallLock.CallLock
  // Built by hand: the surrounding context contains the layer's scope, which would replace the caller's.
  const context = Context.make(EventSocket, socket).pipe(
    Context.add(CallLock.CallLock, lock),
    Context.add(SqlClient.SqlClient, yield* SqlClient.SqlClient)
  )
  const call: Call.CallContext = {
    settings: {
      get gateway() {
        return config.sipGateway
      },
      gateways: config.sipGateways,
      acknowledgement: config.callAckKey,
      language: config.alarmLanguage,
      ringTimeout: config.callRingTimeout,
      callerId: config.callCallerId,
      costlyPrefixes: config.costlyPrefixes,
      longest: config.callMaxSeconds
    },
    voice: { speech: yield* Speech, urls: yield* SpeechUrls, sharedFolder: config.speechDir !== undefined },
    wait: Duration.millis(config.callLockWait)
  }
  /** Last connection error; undefined before the first try with the present settings. */
  let failure: string | undefined
  const values = () => switchValues(config)
  const forget = rebuilt(values, (_host, _port, _password) => void (failure = undefined))
  yield* Supervisor.actor({
    name: "telephone switch",
    backoff: reconnecting,
    early: untilReplaced(values),
    run: reconfigured(values, () => {
      forget()
      return missingOf(config) === undefined
        ? Effect.tapError(socket.keep, (error) => Effect.sync(() => void (failure = error.ownWords)))
        : undefined
    })
  })
  const made: CallChannel["Service"] = {
    turn: (request) =>
      Effect.map(Effect.provideContext(Call.turn(request, call), context), (turn): Turn =>
        turn._tag === "PutOff"
          ? turn
          : { _tag: "Go", deliver: (request) => Effect.provideContext(turn.deliver(request), context) }
      ),
    deliver: (request) => Effect.provideContext(Call.deliver(request, call), context),
    recover: (request) => Effect.provideContext(Call.recover(request, call), context),
    status: Effect.map(socket.connected, (connected): Component =>
      connected
        ? { status: "ok" }
        : { status: "degraded", detail: failure ?? "the telephone switch is not connected yet" }
    ),
    check: Effect.gen(function* () {
      const began = performance.now()
      return yield* socket.api("status").pipe(
        Effect.map((): Component => ({ status: "ok", latency_ms: Math.round((performance.now() - began) * 10) / 10 })),
        Effect.catch((error) => Effect.succeed<Component>({ status: "degraded", detail: failure ?? error.ownWords }))
      )
    })
  }
  /** The channel as the settings of this moment have it. */
  const present = (): CallChannel["Service"] => {
    const missing = missingOf(config)
    return missing === undefined ? made : unconfigured(`unconfigured: set ${missing}`)
  }
  return CallChannel.of({
    turn: (request) => Effect.suspend(() => present().turn(request)),
    deliver: (request) => Effect.suspend(() => present().deliver(request)),
    recover: (request) => Effect.suspend(() => present().recover(request)),
    status: Effect.suspend(() => present().status),
    check: Effect.suspend(() => present().check)
  })
})

const unconfigured = (reason: string): CallChannel["Service"] => ({
  turn: () => Effect.succeed({ _tag: "Go", deliver: () => Effect.succeed({ _tag: "Permanent", reason }) }),
  deliver: () => Effect.succeed({ _tag: "Permanent", reason }),
  recover: () => Effect.succeedNone,
  status: Effect.succeed({ status: "unconfigured" }),
  check: Effect.succeed({ status: "unconfigured" })
})
