/** The call channel: the connection to the switch, the call lock, and the settings of calls. */
import { Context, Duration, Effect, Layer, type Option, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as Backoff from "#core/supervision/Backoff.ts"
import type { Database } from "#core/sql/Database.ts"
import type { Component } from "#core/daemon/Health.ts"
import { Speech } from "#core/speech/Speech.ts"
import type { SpeechConfig } from "#core/speech/SpeechSettings.ts"
import { SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { idle, Supervisor } from "#core/supervision/Supervisor.ts"
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

/** Its context also contains the `EventSocket` when calls are configured. */
export const layer = (
  config: CallChannelConfig
): Layer.Layer<CallChannel, never, Database | SqlClient.SqlClient | Speech | SpeechUrls | Supervisor> => {
  const { switchHost, switchPassword } = config
  if (switchHost === undefined)
    return Layer.succeed(CallChannel, unconfigured("unconfigured: set SIGNALBOX_SWITCH_HOST"))
  if (switchPassword === undefined)
    return Layer.succeed(CallChannel, unconfigured("unconfigured: set SIGNALBOX_SWITCH_PASSWORD"))
  return Layer.effect(CallChannel, make(config)).pipe(
    Layer.provide(
      CallLock.layer({
        wait: Duration.millis(config.callLockWait),
        perGateway: config.callsPerGateway,
        reserved: config.callsReserved
      })
    ),
    Layer.provideMerge(Line.layer({ host: switchHost, port: config.switchPort, password: switchPassword }))
  )
}

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
      gateway: config.sipGateway,
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
  /** Last connection error; undefined before the first try. */
  let failure: string | undefined
  const status = Effect.map(socket.connected, (connected): Component =>
    connected
      ? { status: "ok" }
      : { status: "degraded", detail: failure ?? "the telephone switch is not connected yet" }
  )
  yield* Supervisor.actor({
    name: "telephone switch",
    backoff: reconnecting,
    run: Effect.raceFirst(
      Effect.tapError(socket.keep, (error) => Effect.sync(() => void (failure = error.ownWords))),
      idle
    )
  })
  return CallChannel.of({
    turn: (request) =>
      Effect.map(Effect.provideContext(Call.turn(request, call), context), (turn): Turn =>
        turn._tag === "PutOff"
          ? turn
          : { _tag: "Go", deliver: (request) => Effect.provideContext(turn.deliver(request), context) }
      ),
    deliver: (request) => Effect.provideContext(Call.deliver(request, call), context),
    recover: (request) => Effect.provideContext(Call.recover(request, call), context),
    status,
    check: Effect.gen(function* () {
      const began = performance.now()
      return yield* socket.api("status").pipe(
        Effect.map((): Component => ({ status: "ok", latency_ms: Math.round((performance.now() - began) * 10) / 10 })),
        Effect.catch((error) => Effect.succeed<Component>({ status: "degraded", detail: failure ?? error.ownWords }))
      )
    })
  })
})

const unconfigured = (reason: string): CallChannel["Service"] => ({
  turn: () => Effect.succeed({ _tag: "Go", deliver: () => Effect.succeed({ _tag: "Permanent", reason }) }),
  deliver: () => Effect.succeed({ _tag: "Permanent", reason }),
  recover: () => Effect.succeedNone,
  status: Effect.succeed({ status: "unconfigured" }),
  check: Effect.succeed({ status: "unconfigured" })
})
