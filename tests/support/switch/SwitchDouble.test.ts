import { decodeEvent } from "#protocols/event-socket/SwitchEvent.ts"
import { Framing, type Message } from "#protocols/event-socket/Framing.ts"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Callee } from "./Callee.ts"
import { commandsOf, spoken } from "./Capture.ts"
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
const heard = (messages: ReadonlyArray<Message>): ReadonlyArray<string> =>
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

const masked = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")

const captured = (prefix: string) => heard(spoken(prefix).flatMap((bytes) => new Framing().push(bytes).messages))

/** A plain client that collects messages and sends commands. */
const client = (
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

const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.delay(until(condition), "3 millis")))
const isEvent = (message: Message, name: string) =>
  message.contentType.startsWith("text/event-") && message.body.includes(name)

const captureFiles: Readonly<Record<string, number>> = {
  "/srv/sounds/beep1s.wav": 1_000,
  "/srv/sounds/tone5s.wav": 5_000
}

/** Sends the commands of a capture to the double. Returns the double's messages. */
const replay = Effect.fnUntraced(function* (prefix: string, options: SwitchDoubleOptions) {
  const double = yield* SwitchDouble.make({
    password: "ClueCon",
    gateways: { "gw-up": "up", "gw-down": "down" },
    audioMs: (path) => captureFiles[path],
    ...options
  })
  const { messages, send } = yield* client(double.port)
  const commands = commandsOf(prefix).filter((command) => command !== "exit")
  for (const [index, command] of commands.entries()) {
    yield* until(() => messages.filter(({ contentType }) => !contentType.startsWith("text/event-")).length > index)
    if (command.startsWith("api uuid_kill"))
      yield* until(() => messages.some((message) => isEvent(message, "PLAYBACK_START")))
    send(`${command}\n\n`)
  }
  const jobs = commands.filter((command) => command.startsWith("bgapi")).length
  const without = new Set(["B28", "B34"])
  const destroys = without.has(prefix) ? 0 : jobs
  yield* until(
    () =>
      messages.filter((each) => isEvent(each, "BACKGROUND_JOB")).length >= jobs &&
      messages.filter((each) => isEvent(each, "CHANNEL_DESTROY")).length >= destroys
  )
  return heard(messages)
})

const live = (name: string, test: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.timeout(test(), "20 seconds")), 30_000)
const said = (prefix: string) => captured(prefix).filter((each) => !/\+OK bye|text\/disconnect-notice/.test(each))

const fails = (cause: string): Callee => ({ kind: "fails", cause })
const cases: ReadonlyArray<readonly [string, Callee]> = [
  ["B10", { kind: "answers" }],
  ["B11", { kind: "answers" }],
  ["B12", { kind: "answers" }],
  ["B16", { kind: "answers" }],
  ["B20", fails("USER_BUSY")],
  ["B21", { kind: "rings" }],
  ["B22", { kind: "rings" }],
  ["B23", fails("CALL_REJECTED")],
  ["B24", fails("NO_USER_RESPONSE")],
  ["B25", fails("UNALLOCATED_NUMBER")],
  ["B26", fails("NORMAL_TEMPORARY_FAILURE")],
  ["B28", { kind: "answers" }],
  ["B29", { kind: "answers" }],
  ["B30", { kind: "answers" }],
  ["B31", { kind: "answers" }],
  ["B33", { kind: "rings", silent: true }],
  ["B34", { kind: "answers" }],
  ["B37-fail-408", fails("RECOVERY_ON_TIMER_EXPIRE")],
  ["B37-fail-410", fails("NUMBER_CHANGED")],
  ["B37-fail-484", fails("INVALID_NUMBER_FORMAT")],
  ["B37-fail-488", fails("INCOMPATIBLE_DESTINATION")],
  ["B37-fail-604", fails("NO_ROUTE_DESTINATION")],
  ["B50", { kind: "answers", hangsUpAfterMs: 780 }],
  ["B51", { kind: "answers", digits: [{ digit: "1", afterMs: 1_140 }] }],
  ["B52", { kind: "answers", digits: [{ digit: "1", afterMs: 1_140 }] }],
  ["B53", { kind: "answers", digits: [{ digit: "*", afterMs: 1_140 }] }]
]

describe("says what the real switch said", () => {
  for (const [prefix, callee] of cases) {
    live(prefix, () =>
      Effect.map(replay(prefix, { callee: () => callee }), (messages) => expect(messages).toEqual(said(prefix)))
    )
  }

  live("B56, killed by a command: where in the file depends on when", () => {
    const timeless = (lines: ReadonlyArray<string>) =>
      lines.map((line) => line.replace(/"variable_playback_last_offset_pos":"\d+",/, ""))
    return Effect.map(replay("B56", { timeScale: 1 }), (messages) =>
      expect(timeless(messages)).toEqual(timeless(said("B56")))
    )
  })

  live("B39, early media with and without a care for it", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({
        password: "ClueCon",
        audioMs: (path) => captureFiles[path],
        callee: () => ({ kind: "answers", afterMs: 1_500, earlyMedia: true })
      })
      const { messages, send } = yield* client(double.port)
      const dials = commandsOf("B39").filter((command) => command.startsWith("bgapi"))
      yield* until(() => messages.length === 1)
      send(`${auth}\n\n${commandsOf("B39").find((command) => command.startsWith("event plain"))}\n\n`)
      for (const [index, command] of dials.entries()) {
        send(`${command}\n\n`)
        yield* until(() => messages.filter((each) => isEvent(each, "CHANNEL_DESTROY")).length > index)
      }
      const kinds = (lines: ReadonlyArray<string>) =>
        lines.map((line) => JSON.parse(line)[0]).filter((kind) => !/\//.test(kind))
      expect(dials).toHaveLength(3)
      expect(kinds(heard(messages))).toEqual(kinds(said("B39")))
    })
  )
})

/** Sends commands to a double, each after the answer to the previous one. Returns the answers. */
const ask = Effect.fnUntraced(function* (options: SwitchDoubleOptions, commands: ReadonlyArray<string>) {
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

const auth = "auth ClueCon"
const spokenAnswers = (prefix: string) =>
  spoken(prefix)
    .flatMap((bytes) => new Framing().push(bytes).messages)
    .filter(({ contentType }) => /^(?:command|api)/.test(contentType))
    .map((message) => message.headers["Reply-Text"] ?? message.body.toString("utf8"))

describe("refuses what the real switch refuses", () => {
  live("commands before authentication, a wrong password, an address (B03, B02, B93)", () =>
    Effect.gen(function* () {
      expect((yield* ask({}, ["api status", auth])).answers).toEqual(["-ERR command not found", "+OK accepted"])
      for (const [prefix, options] of [
        ["B02", {}],
        ["B93", { admitted: false }]
      ] as const) {
        const double = yield* SwitchDouble.make({ password: "ClueCon" })
        yield* double.admit(!("admitted" in options))
        const { ended, messages, send } = yield* client(double.port)
        yield* until(() => messages.length > 0)
        send("auth wrong\n\n")
        yield* until(ended)
        expect(heard(messages)).toEqual(captured(prefix))
      }
    })
  )

  live("commands it does not know (B03)", () =>
    Effect.gen(function* () {
      const { answers } = yield* ask({}, [
        auth,
        "nosuchcommand",
        "api",
        "api nosuchapi",
        "API uptime",
        "bgapi",
        "exit now"
      ])
      expect(answers.map((answer) => (/^\d+$/.test(answer) ? "N" : answer))).toEqual([
        "+OK accepted",
        "-ERR command not found",
        "-ERR command not found",
        "-ERR nosuchapi Command not found!\n",
        "N",
        "-ERR command not found",
        "+OK bye"
      ])
    })
  )

  live("originates it cannot read (B38)", () =>
    Effect.gen(function* () {
      const wanted = commandsOf("B38").slice(2, 5)
      const { answers } = yield* ask({}, [auth, ...wanted, "api originate a b c d e f g h"])
      expect(answers.slice(1, 4)).toEqual(spokenAnswers("B38").slice(2, 5))
      expect(answers[4]).toMatch(/^-USAGE/)
    })
  )

  live("channels that are not there, unknown gateways, subscriptions to nothing (B04, B62, B71)", () =>
    Effect.gen(function* () {
      const { answers } = yield* ask({}, [
        auth,
        "api uuid_exists nosuch",
        "api uuid_kill nosuch",
        "api sofia status gateway nosuch",
        "event json",
        "event json NOSUCHEVENT",
        "api show channels",
        "api show channels as json"
      ])
      expect(answers.slice(1)).toEqual([
        "false",
        "-ERR No such channel!\n",
        "Invalid Gateway!\n",
        "-ERR no keywords supplied",
        "-ERR no keywords supplied",
        "\n0 total.\n",
        '{"row_count": 0}\n'
      ])
      for (const answer of ["false", "-ERR No such channel!\n", "\n0 total.\n", '{"row_count": 0}\n'])
        expect(spokenAnswers("B04")).toContain(answer)
      expect(spokenAnswers("B62")).toContain("Invalid Gateway!\n")
    })
  )

  live("says whether a gateway is up, in the same rows (B62)", () =>
    Effect.gen(function* () {
      const { answers } = yield* ask({}, [auth, "api sofia status gateway gw-up", "api sofia status gateway gw-down"])
      const real = (name: string) =>
        spokenAnswers("B62")
          .find((answer) => answer.includes(`Name    \t${name}\n`))!
          .split("\n")
      for (const [index, name] of [
        [1, "gw-up"],
        [2, "gw-down"]
      ] as const) {
        for (const row of ["Name", "Profile", "State", "Status"]) {
          const rowOf = (lines: ReadonlyArray<string>) => lines.find((line) => line.startsWith(row.padEnd(8) + "\t"))
          expect(rowOf(answers[index]!.split("\n"))).toBe(rowOf(real(name)))
        }
      }
    })
  )

  live("calls while it is paused or full (B92)", () =>
    Effect.gen(function* () {
      const call = "api originate sofia/gateway/gw-up/1000 &park()"
      const { answers, double } = yield* ask({ maxSessions: 1 }, [
        auth,
        "api fsctl pause",
        call,
        "api fsctl resume",
        call,
        call,
        "api hupall"
      ])
      expect(answers.slice(1).map((answer) => masked(answer))).toEqual(
        [
          "+OK\n",
          "-ERR DESTINATION_OUT_OF_ORDER\n",
          "+OK\n",
          "+OK UUID\n",
          "-ERR DESTINATION_OUT_OF_ORDER\n",
          "+OK hangup all channels with cause MANAGER_REQUEST\n"
        ].map((each) => masked(each))
      )
      expect(double.mostAtOnce).toBe(1)
    })
  )

  live("a second call with the uuid of a first", () =>
    Effect.gen(function* () {
      const call =
        "api originate {origination_uuid=11111111-2222-4333-8444-000000000001}sofia/gateway/gw-up/1000 &park()"
      const { answers, double } = yield* ask({}, [auth, call, call])
      expect(answers.slice(1)).toEqual([
        "+OK 11111111-2222-4333-8444-000000000001\n",
        "-ERR DESTINATION_OUT_OF_ORDER\n"
      ])
      expect(double.calls).toHaveLength(1)
    })
  )

  live("anything else while an api blocks: events and later commands wait (B83)", () =>
    Effect.gen(function* () {
      const double = yield* SwitchDouble.make({ password: "ClueCon", gateways: { "gw-up": "up" } })
      const { messages: all, send } = yield* client(double.port)
      send(
        `${auth}\n\nevent json CHANNEL_CREATE CHANNEL_ANSWER\n\napi originate sofia/gateway/gw-up/1 &park()\n\napi uuid_exists x\n\n`
      )
      yield* until(() => all.length === 7)
      expect(
        heard(all)
          .slice(3)
          .map((line) => JSON.parse(line))
          .map(([kind, text]) => (kind === "api/response" ? text : kind))
      ).toEqual(["+OK UUID\n", "CHANNEL_CREATE", "CHANNEL_ANSWER", "false"])
    })
  )

  live("loses the job of who has not subscribed (B74)", () =>
    Effect.gen(function* () {
      const { double, messages } = yield* ask({}, [
        auth,
        "bgapi uptime",
        "api status",
        "event json BACKGROUND_JOB",
        "api status"
      ])
      expect(messages.some((each) => isEvent(each, "BACKGROUND_JOB"))).toBe(false)
      expect(double.commands).toEqual(["bgapi uptime", "api status", "event json BACKGROUND_JOB", "api status"])
    })
  )
})

describe("its controls", () => {
  const subscribe = "event json CHANNEL_ANSWER CHANNEL_HANGUP_COMPLETE PLAYBACK_STOP DTMF BACKGROUND_JOB"
  const originate = (number: string, app: string) =>
    `bgapi originate {ignore_early_media=true}sofia/gateway/gw-up/${number} ${app}`

  live("play a WAV file by its own length, an address by a given one, parts one after the other", () =>
    Effect.gen(function* () {
      const directory = mkdtempSync(join(tmpdir(), "switch-"))
      const path = join(directory, "half.wav")
      const data = Buffer.alloc(16_000)
      const head = Buffer.alloc(44)
      head.write("RIFF", 0)
      head.write("WAVEfmt ", 8)
      head.writeUInt32LE(16, 16)
      head.writeUInt32LE(16_000, 24)
      head.writeUInt32LE(32_000, 28)
      head.write("data", 36)
      head.writeUInt32LE(data.length, 40)
      writeFileSync(path, Buffer.concat([head, data]))
      const steps = `'playback:${path},playback:http://host/a.wav,playback:file_string://silence_stream://100!${path},playback:${directory}/none.wav,hangup' inline`
      const { double, messages } = yield* ask({}, [auth, subscribe, originate("1", steps)])
      yield* until(() => double.calls[0]?.ended !== undefined)
      yield* until(() => messages.filter((each) => isEvent(each, "PLAYBACK_STOP")).length === 3)
      expect(double.calls[0]?.heardMs).toBe(500 + 2_000 + 600)
      expect(double.calls[0]?.heard).toHaveLength(3)
      rmSync(directory, { recursive: true })
    })
  )

  live("count the calls that exist at once", () =>
    Effect.gen(function* () {
      const park = "&park()"
      const { double } = yield* ask({}, [auth, originate("1", park), originate("2", park), originate("3", park)])
      yield* until(() => double.calls.length === 3)
      expect([double.mostAtOnce, ...double.calls.map(({ overlapping }) => overlapping)]).toEqual([3, 1, 2, 3])
      for (const { uuid } of double.calls) yield* double.hangUp(uuid)
      expect(double.calls.every(({ ended }) => ended !== undefined)).toBe(true)
    })
  )

  live("leave a key pressed in a pause to the playback after it", () =>
    Effect.gen(function* () {
      const { messages } = yield* ask(
        { audioMs: () => 1_000, callee: () => ({ kind: "answers", digits: [{ digit: "1", afterMs: 200 }] }) },
        [
          auth,
          "event json PLAYBACK_START DTMF CHANNEL_DESTROY",
          originate("1", "'sleep:1000,playback:/a.wav,hangup' inline")
        ]
      )
      yield* until(() => messages.some((each) => isEvent(each, "CHANNEL_DESTROY")))
      expect(
        heard(messages)
          .slice(4)
          .map((line) => JSON.parse(line)[0])
      ).toEqual(["PLAYBACK_START", "DTMF", "CHANNEL_DESTROY"])
    })
  )

  live("die and come back on the same port, without the calls", () =>
    Effect.gen(function* () {
      const { double } = yield* ask({}, [auth, "api originate sofia/gateway/gw-up/1000 &park()"])
      const { port } = double
      yield* double.kill
      const gone = yield* client(port)
      yield* until(gone.ended)
      yield* double.restart
      expect(double.port).toBe(port)
      const { messages, send } = yield* client(port)
      yield* until(() => messages.length === 1)
      send(`${auth}\n\napi show channels\n\n`)
      yield* until(() => messages.length === 3)
      expect(messages[2]?.body.toString()).toBe("\n0 total.\n")
    })
  )
})
