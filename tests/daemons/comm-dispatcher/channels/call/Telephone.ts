/**
 * The call channel of a process, with the switch double, a fake voice that returns `/speech/said.wav`, and a real
 * Postgres.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, References, Result, type Scope } from "effect"
import * as Database from "#core/sql/Database.ts"
import { type ConnectionTarget, toSqlPg } from "#core/postgres/ConnectionTarget.ts"
import { load } from "#core/config/Settings.ts"
import { Speech, type SpeechError, type SpeechRequest, type SpokenAudio } from "#core/speech/Speech.ts"
import { SpeechUrls } from "#core/speech/SpeechUrl.ts"
import { layerLocal, Supervisor } from "#core/supervision/Supervisor.ts"
import type { CallDelivery } from "#daemons/comm-dispatcher/channels/call/Call.ts"
import { CallChannel, type CallChannelConfig, layer } from "#daemons/comm-dispatcher/channels/call/CallChannel.ts"
import { alarmTone } from "#daemons/comm-dispatcher/channels/call/CallPlan.ts"
import { callSettings } from "#daemons/comm-dispatcher/channels/call/CallSettings.ts"
import { freshDatabase } from "#support/Postgres.ts"
import { SwitchDouble, type SwitchDoubleOptions, type SwitchDoubleShape } from "#support/switch/SwitchDouble.ts"

/** Length of the spoken message. Unit: milliseconds of the switch. */
export const saidMs = 4_800
export const said = "/speech/said.wav"

export const startSwitch = (options: SwitchDoubleOptions = {}) =>
  SwitchDouble.make({
    audioMs: (path) => (path === said ? saidMs : path === alarmTone.location ? alarmTone.durationMs : undefined),
    ...options
  })

export interface Telephone {
  readonly channel: CallChannel["Service"]
  readonly texts: ReadonlyArray<string>
}

export interface TelephoneOptions {
  readonly config?: Partial<CallChannelConfig>
  readonly speech?: (request: SpeechRequest) => Effect.Effect<SpokenAudio, SpeechError>
  readonly target?: ConnectionTarget
}

export const telephone = Effect.fnUntraced(function* (double: SwitchDoubleShape, options: TelephoneOptions = {}) {
  const target = options.target ?? (yield* freshDatabase).target
  const texts: Array<string> = []
  const speak = options.speech ?? (() => Effect.succeed(spoken))
  const speech = Speech.of({
    synthesize: (request) => Effect.suspend(() => (texts.push(request.text), speak(request))),
    status: Effect.succeed({ status: "ok" }),
    check: Effect.succeed({ status: "ok" }),
    recheck: Effect.succeed({ status: "ok" })
  })
  const config: CallChannelConfig = {
    ...Result.getOrThrow(load(callSettings, {})),
    switchHost: "127.0.0.1",
    switchPort: double.port,
    switchPassword: Redacted.make(double.password),
    sipGateway: "trunk",
    speechDir: "/speech",
    ...options.config
  }
  const surroundings = Layer.mergeAll(
    Database.layerTarget(target, { applicationName: "telephone" }),
    PgClient.layer({ ...toSqlPg(target), maxConnections: 2 }),
    Layer.succeed(Speech, speech),
    Layer.succeed(
      SpeechUrls,
      SpeechUrls.of({
        url: (name) => Effect.succeed(`http://127.0.0.1:8080/speech/${name}?expires=1&signature=x`),
        lane: new Map()
      })
    )
  )
  const context = yield* Layer.build(
    Layer.provide(layer(config), surroundings).pipe(Layer.provideMerge(layerLocal("test")))
  )
  const channel = Context.get(context, CallChannel)
  yield* Context.get(context, Supervisor).startRegistered
  return { channel, texts } satisfies Telephone
})

export const spoken: SpokenAudio = {
  path: said,
  name: "said.wav",
  bytes: 1,
  durationMs: saidMs,
  provider: "local_gpu",
  engine: "local_gpu",
  cached: true
}

let numbers = 0
export const request = (changed: Partial<CallDelivery> = {}): CallDelivery => ({
  target: `+49301000${String(++numbers).padStart(3, "0")}`,
  severity: "CRITICAL",
  text: "Pumpe 3 steht",
  possibleSecond: false,
  options: {},
  attemptId: crypto.randomUUID(),
  tenantId: 1,
  kind: "alarm_mail",
  dueAt: Date.now(),
  ...changed
})

/** Intended failures must not fill the output of the test run. */
export const quiet = <A, E, R>(effect: Effect.Effect<A, E, R | Scope.Scope>) =>
  Effect.provideService(Effect.scoped(effect), References.MinimumLogLevel, "None")
