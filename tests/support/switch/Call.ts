/**
 * One outbound call of the double: from CHANNEL_CREATE to CHANNEL_DESTROY, with the events, their order and the fields that captures of
 * a real switch show. Which of it is captured and which only read in the source: README.md.
 */
import type { Callee } from "./Callee.ts"
import { type DoubleEvent, eventHead } from "./DoubleEvent.ts"
import type { Application } from "./Originate.ts"
import type { Timeline } from "./Timeline.ts"
import { codes, type Trail } from "./Trail.ts"
import type { Audio } from "./WaveLength.ts"

export interface CallHost {
  readonly timeline: Timeline
  readonly sequence: () => number
  readonly emit: (event: DoubleEvent) => void
  readonly audio: (path: string) => Audio | undefined
}

export interface CallPlan {
  readonly uuid: string
  readonly number: string
  readonly gateway: string
  readonly channelName: string
  readonly variables: Readonly<Record<string, string>>
  readonly applications: ReadonlyArray<Application> | "extension"
  /** Seconds, from the seventh argument. */
  readonly timeout: number | undefined
}

/** How much sooner than asked `originate_timeout` fires. Unit: milliseconds. As captured (3 s: 2,437 ms; 4 s: 3,441 ms). */
const timeoutEarly = 560

/** How much later than asked `leg_timeout` fires. Unit: milliseconds. As captured (2 s: 2,697 ms). */
const legTimeoutLate = 700

/** Default ring time. Unit: seconds. Source: switch_ivr_originate.c. */
const defaultTimeout = 60

/** A file is read ahead in blocks, and `playback_ms` counts what was read. Unit: samples. As captured (16,384 after 0.76 s). */
const readAhead = 16_384

/** Unit: samples a second; what `playback_last_offset_pos` counts, and milliseconds of a frame. */
const channelRate = 8_000
const frame = 20

/** What the switch says for a cause of its own that Q.850 has not. As captured (ALLOTTED_TIMEOUT). */
const otherQ850 = 16

type Running =
  | { readonly app: Application; readonly id: string; readonly cancel: () => void; readonly playing?: { readonly since: number; readonly path: string; readonly audio: Audio } }

export class Call {
  readonly plan: CallPlan
  readonly started = Date.now()
  answered: number | undefined
  ended: number | undefined
  cause: string | undefined
  heardMs = 0
  readonly heard: Array<string> = []
  overlapping = 0
  get uuid(): string {
    return this.plan.uuid
  }

  get number(): string {
    return this.plan.number
  }

  get gateway(): string {
    return this.plan.gateway
  }

  get variables(): Readonly<Record<string, string>> {
    return this.plan.variables
  }

  readonly #host: CallHost
  readonly #variables: Record<string, string> = {}
  readonly #createdAt: number
  #answeredAt = 0
  #progressAt = 0
  #mediaAt = 0
  #hangupAt = 0
  #state = "CS_INIT"
  #callState = "DOWN"
  #answerState = "ringing"
  #finish: ((body: string) => void) | undefined
  #running: Running | undefined
  #queued: Array<string> = []
  #cancels: Array<() => void> = []
  #apps: Array<Application> = []

  constructor(plan: CallPlan, host: CallHost) {
    this.plan = plan
    this.#host = host
    this.#createdAt = host.timeline.now
  }

  /** The channel exists and has not been hung up. */
  get alive(): boolean {
    return this.ended === undefined
  }

  get callState(): string {
    return this.#callState
  }

  /** `finish` gets the originate's answer, once: at the answer, at early media that counts, or at failure. */
  start(callee: Callee, finish: (body: string) => void): void {
    this.#finish = finish
    this.#emit("CHANNEL_CREATE")
    this.#state = "CS_CONSUME_MEDIA"
    if (callee.kind === "fails") return this.#later(callee.afterMs ?? 20, () => this.#fail(callee.cause, "refused"))
    if (callee.kind === "answers" || callee.silent !== true) this.#later(1, () => this.#progress(callee.kind === "answers" && callee.earlyMedia === true))
    const { leg_timeout, originate_timeout } = this.plan.variables
    const seconds = Number(originate_timeout ?? this.plan.timeout ?? defaultTimeout)
    this.#later(Math.max(0, seconds * 1_000 - timeoutEarly), () => this.#fail("NO_ANSWER", "timed-out"))
    if (leg_timeout !== undefined) this.#later(Number(leg_timeout) * 1_000 + legTimeoutLate, () => this.#fail("ALLOTTED_TIMEOUT", "refused"))
    if (callee.kind === "answers") this.#later(callee.afterMs ?? 300, () => this.#answer(callee))
  }

  /** A key of the callee's. Heard where something reads keys: playback and park do, `sleep` leaves them for what comes next. */
  press(digit: string): void {
    if (!this.alive || this.#answeredAt === 0) return
    const app = this.#running?.app.name
    if (app === "sleep" && this.plan.variables["sleep_eat_digits"] !== "true") this.#queued.push(digit)
    else if (app !== undefined) this.#key(digit)
    else this.#queued.push(digit)
  }

  /** `callee`: a BYE. `switch`: uuid_kill and the like, whose application ends a frame later. */
  hangUp(cause: string, by: "callee" | "switch"): void {
    if (!this.alive || this.cause !== undefined) return
    if (this.#answeredAt === 0 && this.#finish !== undefined) return this.#fail(cause, "timed-out")
    if (by === "callee") this.#variables["proto_specific_hangup_cause"] = "sip:200"
    this.#hangingUp(cause)
    if (by === "callee") this.#variables["sip_hangup_disposition"] = "recv_bye"
    const rest = () => {
      this.#endApplication(by)
      this.#completed()
    }
    if (by === "callee") rest()
    else this.#host.timeline.after(frame, rest)
  }

  /** The switch has died: nothing more is said. */
  vanish(): void {
    this.#cancelAll()
    this.ended ??= Date.now()
    this.cause ??= "CRASH"
  }

  #later(milliseconds: number, run: () => void): void {
    this.#cancels.push(this.#host.timeline.after(milliseconds, run))
  }

  #cancelAll(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
    this.#running?.cancel()
  }

  #progress(media: boolean): void {
    if (media) this.#mediaAt = this.#host.timeline.now
    else this.#progressAt = this.#host.timeline.now
    if (media) [this.#answerState, this.#callState] = ["early", "EARLY"]
    this.#emit(media ? "CHANNEL_PROGRESS_MEDIA" : "CHANNEL_PROGRESS")
    if (!media) this.#callState = "RINGING"
    const ignored = this.plan.variables["ignore_early_media"]
    if (media && (ignored === undefined || ignored === "false")) {
      this.#said(`+OK ${this.plan.uuid}\n`)
      this.#begin()
    }
  }

  #answer(callee: Extract<Callee, { readonly kind: "answers" }>): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
    this.answered = Date.now()
    this.#answeredAt = this.#host.timeline.now
    this.#answerState = "answered"
    this.#emit("CHANNEL_ANSWER")
    this.#variables["endpoint_disposition"] = "ANSWER"
    this.#callState = "ACTIVE"
    for (const { afterMs, digit } of callee.digits ?? []) this.#later(afterMs, () => this.press(digit))
    if (callee.hangsUpAfterMs !== undefined) this.#later(callee.hangsUpAfterMs, () => this.hangUp("NORMAL_CLEARING", "callee"))
    if (this.#finish === undefined) return
    this.#said(`+OK ${this.plan.uuid}\n`)
    this.#begin()
  }

  #said(body: string): void {
    const finish = this.#finish
    this.#finish = undefined
    finish?.(body)
  }

  #begin(): void {
    this.#later(frame, () => {
      this.#state = "CS_EXECUTE"
      if (this.plan.applications === "extension") return this.#hangUpHere("NO_ROUTE_DESTINATION")
      this.#apps = [...this.plan.applications]
      this.#next()
    })
  }

  #next(): void {
    const app = this.#apps.shift()
    if (app === undefined) return this.#hangUpHere("NORMAL_CLEARING")
    const id = crypto.randomUUID()
    this.#variables["current_application"] = app.name
    switch (app.name) {
      case "sleep":
        this.#execute(app, id)
        this.#running = { app, id, cancel: this.#host.timeline.after(Number(app.data) || 0, () => this.#complete("_none_")) }
        return
      case "playback":
        this.#execute(app, id)
        return this.#playback(app, id)
      case "park":
        this.#execute(app, id)
        this.#running = { app, id, cancel: () => undefined }
        this.#emit("CHANNEL_PARK")
        return this.#keysThatWaited()
      case "answer":
      case "set":
        this.#execute(app, id)
        this.#running = { app, id, cancel: () => undefined }
        return this.#complete("_none_")
      case "hangup": {
        this.#execute(app, id)
        this.#running = { app, id, cancel: () => undefined }
        return this.#hangUpHere(app.data === "" ? "NORMAL_CLEARING" : app.data)
      }
      default:
        // An application that does not exist costs the call.
        return this.#hangUpHere("DESTINATION_OUT_OF_ORDER")
    }
  }

  #playback(app: Application, id: string): void {
    const audio = this.#host.audio(app.data)
    if (audio === undefined) {
      this.#running = { app, id, cancel: () => undefined }
      return this.#complete("FILE NOT FOUND")
    }
    const cancel = this.#host.timeline.after(audio.ms, () => {
      this.#stopPlaying("done")
      this.#complete("FILE PLAYED")
    })
    this.#running = { app, id, cancel, playing: { since: this.#host.timeline.now, path: app.data, audio } }
    this.#emit("PLAYBACK_START", { "Playback-File-Path": app.data })
    this.#keysThatWaited()
  }

  #keysThatWaited(): void {
    for (const digit of this.#queued.splice(0)) this.#key(digit)
  }

  #key(digit: string): void {
    this.#emit("DTMF", { "DTMF-Digit": digit, "DTMF-Duration": "1440", "DTMF-Source": "RTP" })
    const terminators = this.plan.variables["playback_terminators"] ?? "*"
    const ends = terminators === "any" || (terminators !== "none" && terminators.includes(digit))
    if (this.#running?.playing === undefined || !ends) return
    this.#variables["playback_terminator_used"] = digit
    this.#stopPlaying("break")
    this.#complete("FILE PLAYED")
  }

  /** `playback_ms` counts what was read of the file, ahead of what was heard; `playback_last_offset_pos` counts what was heard. */
  #stopPlaying(status: "done" | "break"): void {
    const running = this.#running
    if (running?.playing === undefined) return
    running.cancel()
    const { audio, path, since } = running.playing
    const passed = this.#host.timeline.now - since
    const heard = passed > audio.ms - 0.01 ? audio.ms : Math.floor(passed / frame) * frame
    const block = readAhead * 1_000 / audio.rate
    const read = Math.min(audio.ms, (Math.floor(heard / block) + 1) * block)
    this.#variables["playback_last_offset_pos"] = String(Math.round(heard * channelRate / 1_000))
    this.#variables["playback_seconds"] = String(Math.floor(read / 1_000))
    this.#variables["playback_ms"] = String(Math.round(read))
    this.#variables["playback_samples"] = String(Math.round(read * audio.rate / 1_000))
    if (!path.startsWith("silence_stream://")) this.heardMs += heard
    if (heard >= audio.ms) this.heard.push(path)
    this.#running = { app: running.app, id: running.id, cancel: running.cancel }
    this.#emit("PLAYBACK_STOP", { "Playback-File-Path": path, "Playback-Status": status })
  }

  #execute(app: Application, id: string): void {
    this.#variables["current_application"] = app.name
    this.#variables["current_application_data"] = app.data
    delete this.#variables["current_application_response"]
    this.#emit("CHANNEL_EXECUTE", { Application: app.name, "Application-Data": app.data, "Application-UUID": id })
  }

  #executed(response: string): void {
    const running = this.#running
    if (running === undefined) return
    running.cancel()
    this.#running = undefined
    if (response !== "_none_") this.#variables["current_application_response"] = response
    this.#emit("CHANNEL_EXECUTE_COMPLETE", {
      Application: running.app.name,
      "Application-Data": running.app.data,
      "Application-Response": response,
      "Application-UUID": running.id
    })
  }

  #complete(response: string): void {
    this.#executed(response)
    this.#next()
  }

  #endApplication(by: "callee" | "switch"): void {
    if (this.#running?.playing !== undefined) {
      this.#stopPlaying("done")
      return this.#executed(by === "callee" ? "PLAYBACK ERROR" : "FILE PLAYED")
    }
    if (this.#running?.app.name === "park") this.#emit("CHANNEL_UNPARK")
    this.#executed("_none_")
  }

  /** The switch ends the call itself, at the end of what it had to do. */
  #hangUpHere(cause: string): void {
    this.#hangingUp(cause)
    this.#executed("_none_")
    this.#completed()
  }

  #hangingUp(cause: string): void {
    this.cause = cause
    this.#answerState = "hangup"
    this.#emit("CHANNEL_HANGUP")
    for (const cancel of this.#cancels.splice(0)) cancel()
  }

  #fail(cause: string, trail: Trail): void {
    const ours = trail === "timed-out" || cause === "ALLOTTED_TIMEOUT"
    const sip = codes[cause]?.sip
    if (!ours) this.#refusedBy(sip)
    this.#hangingUp(cause)
    if (trail === "timed-out") this.#said(`-ERR ${cause}\n`)
    // The switch gave up; what the callee says to that comes after the hang-up.
    if (ours) Object.assign(this.#variables, { sip_hangup_disposition: "send_cancel", sip_invite_failure_status: "487" })
    this.#report()
    if (trail === "refused") this.#said(`-ERR ${cause}\n`)
    this.#destroy()
  }

  #refusedBy(sip: number | undefined): void {
    this.#variables["sip_hangup_disposition"] = "recv_refuse"
    if (sip === undefined) return
    this.#variables["sip_invite_failure_status"] = String(sip)
    this.#variables["proto_specific_hangup_cause"] = `sip:${sip}`
  }

  #completed(): void {
    this.#report()
    this.#destroy()
  }

  #report(): void {
    this.#hangupAt = this.#host.timeline.now
    this.#state = "CS_REPORTING"
    this.#callState = "HANGUP"
    const cause = this.cause ?? "NORMAL_CLEARING"
    this.#variables["sip_hangup_disposition"] ??= "send_bye"
    this.#variables["hangup_cause"] = cause
    this.#variables["hangup_cause_q850"] = String(codes[cause]?.q850 ?? otherQ850)
    const since = this.#answeredAt
    this.#variables["billsec"] = String(since === 0 ? 0 : Math.floor(this.#hangupAt / 1_000) - Math.floor(since / 1_000))
    this.#variables["billmsec"] = String(since === 0 ? 0 : Math.round(this.#hangupAt - since))
    this.#emit("CHANNEL_HANGUP_COMPLETE")
  }

  #destroy(): void {
    this.#cancelAll()
    this.#emit("CHANNEL_DESTROY")
    this.ended = Date.now()
  }

  #emit(name: string, extra: Readonly<Record<string, string>> = {}): void {
    const { channelName, number, uuid, variables } = this.plan
    const micro = (milliseconds: number) => String(Math.round(milliseconds * 1_000))
    const own: Record<string, string> = {}
    // A key's event has no variables.
    if (name !== "DTMF") for (const [key, value] of Object.entries({ direction: "outbound", uuid, ...variables, ...this.#variables })) own[`variable_${key}`] = value
    this.#host.emit({
      ...eventHead(name, this.#host.timeline.now, this.#host.sequence()),
      "Event-Name": name,
      "Channel-State": this.#state,
      "Channel-Call-State": this.#callState,
      "Channel-Name": channelName,
      "Unique-ID": uuid,
      "Call-Direction": "outbound",
      "Channel-Call-UUID": uuid,
      "Answer-State": this.#answerState,
      ...(this.cause === undefined ? {} : { "Hangup-Cause": this.cause }),
      ...(this.#answeredAt === 0 ? {} : { "Channel-Read-Codec-Name": "PCMU", "Channel-Read-Codec-Rate": String(channelRate) }),
      "Caller-Destination-Number": number,
      "Caller-Unique-ID": uuid,
      "Caller-Channel-Created-Time": micro(this.#createdAt),
      "Caller-Channel-Answered-Time": micro(this.#answeredAt),
      "Caller-Channel-Progress-Time": micro(this.#progressAt),
      "Caller-Channel-Progress-Media-Time": micro(this.#mediaAt),
      "Caller-Channel-Hangup-Time": micro(this.#hangupAt),
      ...own,
      ...extra
    })
  }
}
