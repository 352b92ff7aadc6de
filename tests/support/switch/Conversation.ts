/** Clients of the double, and messages in a form that can be compared with captures of a real switch. */
import { decodeEvent } from "#protocols/event-socket/SwitchEvent.ts"
import { Framing, type Message } from "#protocols/event-socket/Framing.ts"
import { it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { connect } from "node:net"
import { spoken } from "./Capture.ts"
import { SwitchDouble, type SwitchDoubleOptions } from "./SwitchDouble.ts"

/** Event fields that clients depend on. Times and ids differ between calls, so they are not compared. */
const compared = [
  "Answer-State",
  "Channel-Call-State",
  "Hangup-Cause",
  "Call-Direction",
  "Application",
  "Application-Data",
  "Application-Response",
  "Playback-Status",
  "Playback-File-Path",
  "DTMF-Digit",
  "DTMF-Source",
  "Job-Command",
  "Job-Command-Arg",
  "variable_playback_ms",
  "variable_playback_seconds",
  "variable_playback_samples",
  "variable_playback_last_offset_pos",
  "variable_sip_hangup_disposition",
  "variable_proto_specific_hangup_cause",
  "variable_hangup_cause",
  "variable_hangup_cause_q850",
  "variable_current_application_response",
  "variable_endpoint_disposition",
  "variable_sip_invite_failure_status",
  "variable_playback_terminator_used",
  "variable_ignore_early_media"
]

/** Received messages in a comparable form: type, the fields above, masked ids. */
export const heard = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
  messages.map((message) => {
    if (!message.contentType.startsWith("text/event-"))
      return masked([message.contentType, message.headers["Reply-Text"] ?? message.body.toString("utf8")])
    const event = Result.getOrThrow(decodeEvent(message))
    const fields = compared.flatMap((name) => (event.headers[name] === undefined ? [] : [[name, event.headers[name]]]))
    return masked([
      event.name,
      Object.fromEntries(fields),
      event.body,
      BigInt(event.headers["Caller-Channel-Answered-Time"] ?? "0") > 0n
    ])
  })

/** JSON of a value with its UUIDs masked. */
export const masked = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")

/** Messages of the real switch in a capture. */
export const captured = (prefix: string) => heard(spoken(prefix).flatMap((bytes) => new Framing().push(bytes).messages))

/** A plain client that collects messages and sends commands. */
export const client = (
  port: number
): Effect.Effect<
  { readonly send: (text: string) => void; readonly messages: Array<Message>; readonly ended: () => boolean },
  never,
  Scope.Scope
> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => connect(port, "127.0.0.1")),
      (socket) => Effect.sync(() => socket.destroy())
    ),
    (socket) => {
      const framing = new Framing()
      const messages: Array<Message> = []
      let ended = false
      socket.on("error", () => undefined)
      socket.on("close", () => (ended = true))
      socket.on("data", (bytes) => void messages.push(...framing.push(bytes).messages))
      return { send: (text: string) => void socket.write(text), messages, ended: () => ended }
    }
  )

/** Waits for the condition. */
export const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.delay(until(condition), "3 millis")))
/** Whether a message is this event. */
export const isEvent = (message: Message, name: string) =>
  message.contentType.startsWith("text/event-") && message.body.includes(name)

/** A test with a scope and a time limit of 20 s. */
export const live = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "20 seconds")), 30_000)

/** Sends commands to a double, each after the answer to the previous one. Returns the answers. */
export const ask = Effect.fnUntraced(function* (options: SwitchDoubleOptions, commands: ReadonlyArray<string>) {
  const double = yield* SwitchDouble.make({
    password: "ClueCon",
    gateways: { "gw-up": "up", "gw-down": "down" },
    ...options
  })
  const { messages, send } = yield* client(double.port)
  const answers = () => messages.filter(({ contentType }) => /^(?:auth|command|api)/.test(contentType))
  for (const [index, command] of commands.entries()) {
    yield* until(() => answers().length > index)
    send(`${command}\n\n`)
  }
  yield* until(() => answers().length > commands.length)
  return {
    double,
    messages,
    answers: answers()
      .slice(1)
      .map((message) => message.headers["Reply-Text"] ?? message.body.toString("utf8"))
  }
})

export const auth = "auth ClueCon"
/** Answers of the real switch in a capture. */
export const spokenAnswers = (prefix: string) =>
  spoken(prefix)
    .flatMap((bytes) => new Framing().push(bytes).messages)
    .filter(({ contentType }) => /^(?:command|api)/.test(contentType))
    .map((message) => message.headers["Reply-Text"] ?? message.body.toString("utf8"))
