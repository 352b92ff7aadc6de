/**
 * Implementation of the switch double: listens, authenticates clients, runs commands, places calls. SwitchDouble.ts is
 * its public interface.
 */
import { Effect } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { findFreePort } from "../peers/Loopback.ts"
import { runApi } from "./ApiCommands.ts"
import { Call, type CallPlan } from "./Call.ts"
import { answers } from "./Callee.ts"
import { type DoubleEvent, eventHead } from "./DoubleEvent.ts"
import { type Originate, parseOriginate, usage } from "./Originate.ts"
import { type Command, SwitchClient } from "./SwitchClient.ts"
import * as Sofia from "./Sofia.ts"
import type { SwitchDoubleOptions, SwitchDoubleShape } from "./SwitchDouble.ts"
import { Timeline } from "./Timeline.ts"
import { trailOf } from "./Trail.ts"
import { type Audio, waveLength } from "./WaveLength.ts"

/** Default length of audio that a switch would fetch by HTTP. Unit: milliseconds. */
const fetchedMs = 2_000

const eventNames = new Set([
  "CHANNEL_CREATE",
  "CHANNEL_DESTROY",
  "CHANNEL_STATE",
  "CHANNEL_CALLSTATE",
  "CHANNEL_ANSWER",
  "CHANNEL_HANGUP",
  "CHANNEL_HANGUP_COMPLETE",
  "CHANNEL_EXECUTE",
  "CHANNEL_EXECUTE_COMPLETE",
  "CHANNEL_BRIDGE",
  "CHANNEL_UNBRIDGE",
  "CHANNEL_PROGRESS",
  "CHANNEL_PROGRESS_MEDIA",
  "CHANNEL_OUTGOING",
  "CHANNEL_PARK",
  "CHANNEL_UNPARK",
  "CHANNEL_ORIGINATE",
  "PLAYBACK_START",
  "PLAYBACK_STOP",
  "DTMF",
  "BACKGROUND_JOB",
  "HEARTBEAT",
  "RECORD_START",
  "RECORD_STOP",
  "CUSTOM"
])

export class Switch implements SwitchDoubleShape {
  readonly password: string
  readonly commands: Array<string> = []
  readonly calls: Array<Call> = []
  readonly sofia = Sofia.stock()
  mostAtOnce = 0
  #port: number
  readonly #options: SwitchDoubleOptions
  readonly #gateways: Map<string, "up" | "down">
  #timeline: Timeline
  #server: Server | undefined
  #clients = new Set<SwitchClient>()
  #dialled = new Map<string, number>()
  #sequence = 1
  #paused = false
  #admits = true
  #callsPaused = false
  readonly #startedAt = Date.now()

  constructor(options: SwitchDoubleOptions) {
    this.#options = options
    this.password = options.password ?? "test-password"
    this.#port = options.port ?? 0
    this.#gateways = new Map(Object.entries(options.gateways ?? { trunk: "up" }))
    this.#timeline = new Timeline(options.timeScale ?? 0.02)
  }

  get port(): number {
    return this.#port
  }

  get clients(): number {
    return [...this.#clients].filter(({ authenticated }) => authenticated).length
  }

  readonly kill = Effect.promise(() => this.die())
  readonly restart = Effect.promise(() => this.listen())
  readonly pause = Effect.sync(() => {
    this.#paused = true
    for (const client of this.#clients) client.muted = true
  })
  readonly resume = Effect.sync(() => {
    this.#paused = false
    for (const client of this.#clients) if (client.muted) client.socket.resetAndDestroy()
  })
  readonly disconnect = Effect.sync(() => {
    for (const client of this.#clients) client.bye()
  })
  readonly admit = (admitted: boolean) => Effect.sync(() => void (this.#admits = admitted))
  readonly gateway = (name: string, state: "up" | "down" | "unknown") =>
    Effect.sync(() => void (state === "unknown" ? this.#gateways.delete(name) : this.#gateways.set(name, state)))
  readonly existing = new Set<string>()
  readonly say = (name: string, headers: Readonly<Record<string, string>>) =>
    Effect.sync(() => this.#emit({ ...eventHead(name, Date.now(), this.#sequence++), ...headers, "Event-Name": name }))
  readonly press = (uuid: string, digit: string) => this.#with(uuid, (call) => call.press(digit))
  readonly hangUp = (uuid: string, cause?: string) =>
    this.#with(uuid, (call) => call.hangUp(cause ?? "NORMAL_CLEARING", cause === undefined ? "callee" : "switch"))

  async listen(): Promise<void> {
    this.#server ??= createServer((socket) => this.#welcome(socket))
    const server = this.#server
    if (this.#port === 0) this.#port = await findFreePort()
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(this.#port, "127.0.0.1", resolve)
    })
  }

  /** Cuts all connections. Calls end without events. */
  async die(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    this.#timeline.clear()
    this.#timeline = new Timeline(this.#options.timeScale ?? 0.02)
    for (const call of this.#live) call.vanish()
    for (const client of this.#clients) client.socket.destroy()
    this.#clients.clear()
    this.#paused = false
    if (server !== undefined) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  get #live(): ReadonlyArray<Call> {
    return this.calls.filter(({ alive }) => alive)
  }

  #with(uuid: string, use: (call: Call) => void): Effect.Effect<void> {
    return Effect.sync(() => {
      this.#timeline.catchUp()
      const call = this.#live.find(({ plan }) => plan.uuid === uuid)
      if (call !== undefined) use(call)
    })
  }

  #welcome(socket: Socket): void {
    const client = new SwitchClient(socket, (client, command) => this.#run(client, command))
    client.muted = this.#paused
    this.#clients.add(client)
    socket.on("close", () => this.#clients.delete(client))
    if (this.#admits) return client.write("Content-Type: auth/request\n\n")
    const denied = "Access Denied, go away.\n"
    client.write(`Content-Type: text/rude-rejection\nContent-Length: ${denied.length}\n\n${denied}`)
    client.bye()
  }

  #run(client: SwitchClient, { headers, line }: Command): void {
    this.#timeline.catchUp()
    const [verb = "", ...words] = line.split(" ")
    const args = words.join(" ")
    if (!client.authenticated) {
      if (verb !== "auth") return client.reply("-ERR command not found")
      client.authenticated = args === this.password
      client.reply(client.authenticated ? "+OK accepted" : "-ERR invalid")
      return client.authenticated ? undefined : client.bye()
    }
    this.commands.push(verb === "auth" ? "auth" : line)
    switch (verb.toLowerCase()) {
      case "exit":
        client.reply("+OK bye")
        return client.bye()
      case "event":
        return subscribe(client, words)
      case "noevents":
        client.subscribed.clear()
        return client.reply("+OK no longer listening for events")
      case "api":
        return args === "" ? client.reply("-ERR command not found") : this.#api(client, words)
      case "bgapi":
        return args === "" ? client.reply("-ERR command not found") : this.#bgapi(client, words, headers["job-uuid"])
      default:
        client.reply("-ERR command not found")
    }
  }

  #api(client: SwitchClient, [name = "", ...args]: ReadonlyArray<string>): void {
    client.block("all")
    this.#command(name, args.join(" "), (body) => {
      client.response(body)
      client.unblock()
    })
  }

  #bgapi(client: SwitchClient, [name = "", ...args]: ReadonlyArray<string>, asked: string | undefined): void {
    const jobUuid = asked ?? crypto.randomUUID()
    const reply = () => client.reply(`+OK Job-UUID: ${jobUuid}`, `Job-UUID: ${jobUuid}\n`)
    const late = this.#options.bgapiReplyAfterMs ?? 0
    if (late === 0) reply()
    else {
      client.block("reply")
      this.#timeline.after(late, () => {
        reply()
        client.unblock()
      })
    }
    const run = () =>
      this.#command(name, args.join(" "), (body) =>
        this.#emit({
          ...eventHead("BACKGROUND_JOB", this.#timeline.now, this.#sequence++),
          "Job-UUID": jobUuid,
          "Job-Command": name,
          ...(args.length === 0 ? {} : { "Job-Command-Arg": args.join(" ") }),
          "Content-Length": String(Buffer.byteLength(body)),
          _body: body
        })
      )
    // The job runs in its own thread, so its first event comes shortly after the command's answer.
    this.#timeline.after(1, run)
  }

  #command(name: string, args: string, answer: (body: string) => void): void {
    if (name === "originate") return this.#originate(args, answer)
    const state = {
      gateways: this.#gateways,
      live: this.#live,
      existing: this.existing,
      sessions: this.calls.length,
      startedAt: this.#startedAt,
      sofia: this.sofia,
      pauseCalls: (paused: boolean) => void (this.#callsPaused = paused)
    }
    answer(runApi(state, name, args) ?? `-ERR ${name} Command not found!\n`)
  }

  #originate(args: string, answer: (body: string) => void): void {
    const asked = parseOriginate(args)
    if (asked === undefined) return answer(usage)
    const uuid = asked.variables["origination_uuid"] ?? crypto.randomUUID()
    const refusal = this.#refusal(asked, uuid)
    if (refusal !== undefined) return this.#refuse(refusal, uuid, answer)
    const { applications, dial, timeout, variables } = asked
    const [gateway, number] =
      dial.kind === "gateway"
        ? [dial.gateway, dial.number]
        : dial.kind === "profile"
          ? [dial.profile, dial.number]
          : ["", ""]
    const nth = this.#dialled.get(number) ?? 0
    this.#dialled.set(number, nth + 1)
    const callee = this.#options.callee?.(number, nth) ?? answers
    if (callee.kind === "fails" && trailOf(callee.cause) !== "refused" && trailOf(callee.cause) !== "timed-out")
      return this.#refuse(callee.cause, uuid, answer)
    this.#dial(
      { uuid, number, gateway, variables, applications, timeout, channelName: `sofia/external/${number}` },
      (call) => call.start(callee, answer)
    )
  }

  /** Cause with which the switch refuses before dialling, in the order of its own checks. */
  #refusal({ dial }: Originate, uuid: string): string | undefined {
    const { maxSessions = Infinity } = this.#options
    if (dial.kind === "broken" || this.#callsPaused || this.#live.length >= maxSessions)
      return "DESTINATION_OUT_OF_ORDER"
    if (dial.kind === "unknown") return "CHAN_NOT_IMPLEMENTED"
    if (dial.kind === "user") return "USER_NOT_REGISTERED"
    if (dial.kind === "profile" && dial.profile !== "external") return "INVALID_PROFILE"
    if (this.#live.some(({ plan }) => plan.uuid === uuid)) return "DESTINATION_OUT_OF_ORDER"
    if (dial.kind === "profile") return undefined
    const gateway = this.#gateways.get(dial.gateway)
    return gateway === undefined ? "INVALID_GATEWAY" : gateway === "down" ? "GATEWAY_DOWN" : undefined
  }

  #refuse(cause: string, uuid: string, answer: (body: string) => void): void {
    if (trailOf(cause) === "destroyed") {
      this.#emit({
        ...eventHead("CHANNEL_DESTROY", this.#timeline.now, this.#sequence++),
        "Channel-State": "CS_NONE",
        "Channel-Call-State": "DOWN",
        "Channel-Name": "N/A",
        "Unique-ID": uuid,
        "Call-Direction": "outbound",
        "Answer-State": "ringing"
      })
    }
    answer(`-ERR ${cause}\n`)
  }

  #dial(plan: CallPlan, start: (call: Call) => void): void {
    const call = new Call(plan, {
      timeline: this.#timeline,
      sequence: () => this.#sequence++,
      emit: (event) => this.#emit(event),
      audio: (path) => this.#audio(path)
    })
    this.calls.push(call)
    call.overlapping = this.#live.length
    this.mostAtOnce = Math.max(this.mostAtOnce, call.overlapping)
    start(call)
  }

  /**
   * Length of audio. `file_string://a!b` plays the parts one after the other and skips missing parts; undefined when no
   * part exists.
   */
  #audio(path: string): Audio | undefined {
    if (!path.startsWith("file_string://")) return this.#part(path)
    const parts = path
      .slice("file_string://".length)
      .split("!")
      .map((part) => this.#part(part))
      .filter((part) => part !== undefined)
    return parts.length === 0 ? undefined : { ms: parts.reduce((sum, { ms }) => sum + ms, 0), rate: parts.at(-1)!.rate }
  }

  #part(path: string): Audio | undefined {
    const silence = /^silence_stream:\/\/(\d+)/.exec(path)?.[1]
    if (silence !== undefined) return { ms: Number(silence), rate: 8_000 }
    if (this.#options.audioMs !== undefined) {
      const ms = this.#options.audioMs(path)
      return ms === undefined ? undefined : { ms, rate: 8_000 }
    }
    return path.includes("http://") || path.includes("https://") ? { ms: fetchedMs, rate: 8_000 } : waveLength(path)
  }

  #emit(event: DoubleEvent): void {
    for (const client of this.#clients) client.event(event)
  }
}

/**
 * Handles an `event` command. The first word may be a format, which applies to the whole connection. Unknown event
 * names are ignored; without a known name nothing is subscribed.
 */
const subscribe = (client: SwitchClient, words: ReadonlyArray<string>): void => {
  const [first, ...rest] = words
  const format = first === "json" || first === "plain" ? first : undefined
  const listed = format === undefined ? words : rest
  const custom = listed.indexOf("CUSTOM")
  // The words after CUSTOM are event subclasses.
  const names = (custom === -1 ? listed : listed.slice(0, custom + 1)).filter(
    (name) => name === "ALL" || eventNames.has(name)
  )
  if (names.length === 0) return client.reply("-ERR no keywords supplied")
  if (format !== undefined) client.format = format
  for (const name of names.includes("ALL") ? eventNames : names) client.subscribed.add(name)
  if (custom !== -1) for (const subclass of listed.slice(custom + 1)) client.subclasses.add(subclass)
  client.reply(`+OK event listener enabled ${client.format}`)
}
