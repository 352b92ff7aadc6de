/**
 * A connection from its greeting on: signs in, keeps the capabilities, and sends commands that must be answered in
 * time. It does not decide which commands to send after the sign-in.
 */
import { Deferred, Duration, Effect } from "effect"
import * as Commands from "./Commands.ts"
import { credentials } from "./Credentials.ts"
import { ImapWatchError, type ImapWatchReason, kept } from "./ImapWatchError.ts"
import { capabilitiesOf } from "./Untagged.ts"
import { connectTimeout, defaultPort, stepTimeout, type WatchOptions } from "./WatchOptions.ts"
import { type Answered, type State, Wire, type WireEvents } from "./Wire.ts"

export type Step<A> = Effect.Effect<A, ImapWatchError>

export class Session {
  readonly wire: Wire
  readonly #options: WatchOptions
  /** Capabilities of the latest CAPABILITY response. */
  #capabilities: ReadonlySet<string> = new Set()

  /** Starts to connect. */
  constructor(options: WatchOptions, events: WireEvents) {
    this.#options = options
    this.wire = new Wire(
      {
        host: options.host,
        port: options.port ?? defaultPort,
        servername: options.servername,
        secureContext: options.secureContext
      },
      {
        hear: (response) => {
          if (response._tag === "Capability") this.#learn(response.names)
          if (response._tag === "State" && response.code?.name === "CAPABILITY")
            this.#learn(capabilitiesOf(response.code.value))
          return events.hear(response)
        },
        ended: events.ended
      }
    )
  }

  /** Waits for the server's greeting, and signs in unless the greeting says that this has happened (PREAUTH). */
  get begin(): Step<void> {
    return Effect.gen({ self: this }, function* () {
      const greeting = yield* this.await("connect", this.wire.greeted, this.#options.connectTimeout ?? connectTimeout)
      if (greeting.word !== "PREAUTH") yield* this.#login
    })
  }

  /** Whether the server offers this capability, one of `wanted`. */
  offers(capability: string): boolean {
    return this.#capabilities.has(capability)
  }

  /** Sends a command that must succeed. */
  ask(command: Commands.Command): Step<State> {
    return Effect.flatMap(this.send(command), accepted(command.name))
  }

  /** Waits for the answer to a command that must succeed. */
  accepted(name: string, answered: Answered): Step<State> {
    return Effect.flatMap(this.await(name, answered), accepted(name))
  }

  send(command: Commands.Command): Step<State> {
    return Effect.suspend(() => this.await(command.name, this.wire.send(command))).pipe(
      Effect.tap(({ code }) =>
        Effect.sync(() => this.#learn(code?.name === "CAPABILITY" ? capabilitiesOf(code.value) : []))
      )
    )
  }

  await<A>(
    step: string,
    awaited: Deferred.Deferred<A, ImapWatchReason>,
    timeout = this.#options.stepTimeout ?? stepTimeout
  ): Step<A> {
    return Effect.timeoutOrElse(Deferred.await(awaited), {
      duration: timeout,
      orElse: () => Effect.fail<ImapWatchReason>({ _tag: "Timeout", milliseconds: Duration.toMillis(timeout) })
    }).pipe(Effect.mapError((reason) => new ImapWatchError({ step, reason })))
  }

  get #login(): Step<void> {
    return Effect.gen({ self: this }, function* () {
      // Not every greeting shows whether the server supports SASL-IR and literals.
      if (this.#capabilities.size === 0) yield* this.ask(Commands.capability)
      const command = credentials(this.#options.login, this.#capabilities)
      // The capabilities before and after the login can differ.
      this.#capabilities = new Set()
      const { code, word } = yield* Effect.flatMap(
        Effect.mapError(
          Effect.fromResult(command),
          (why) => new ImapWatchError({ step: "LOGIN", reason: { _tag: "Protocol", why } })
        ),
        (sayable) => this.send(sayable)
      )
      if (word !== "OK")
        return yield* new ImapWatchError({ step: "LOGIN", reason: { _tag: "Refused", code: code?.name ?? "" } })
      if (this.#capabilities.size === 0) yield* this.ask(Commands.capability)
    })
  }

  /** Keeps only the capabilities that matter here; a server has about forty. */
  #learn(names: ReadonlyArray<string>): void {
    if (names.length > 0)
      this.#capabilities = new Set(names.filter((name) => wanted.has(name) || name.startsWith("AUTH=")).concat("IMAP"))
  }
}

const wanted = new Set(["NOTIFY", "IDLE", "LIST-STATUS", "CONDSTORE", "SASL-IR"])

const accepted =
  (step: string) =>
  (state: State): Step<State> =>
    state.word === "OK"
      ? Effect.succeed(state)
      : Effect.fail(new ImapWatchError({ step, reason: { _tag: "Rejected", answer: kept(state.text) } }))
