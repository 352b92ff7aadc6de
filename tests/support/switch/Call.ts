/**
 * One outbound call of the double, from CHANNEL_CREATE to CHANNEL_DESTROY. Events, their order and their fields follow
 * captures of a real switch. README.md lists what is captured and what is only derived from the source code.
 */
import { Applications, channelRate, frame } from "./Applications.ts"
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
  /** Seventh argument of originate. Unit: seconds. */
  readonly timeout: number | undefined
}

/** Time by which `originate_timeout` fires early. Unit: milliseconds. From captures (3 s: 2,437 ms; 4 s: 3,441 ms). */
const timeoutEarly = 560

/** Time by which `leg_timeout` fires late. Unit: milliseconds. From a capture (2 s: 2,697 ms). */
const legTimeoutLate = 700

/** Default ringing time. Unit: seconds. Source: switch_ivr_originate.c. */
const defaultTimeout = 60

/** Q.850 code that the switch sends for its own causes outside Q.850. From a capture (ALLOTTED_TIMEOUT). */
const otherQ850 = 16

export class Call {
  readonly plan: CallPlan
  readonly started = Date.now()
  answered: number | undefined
  ended: number | undefined
  cause: string | undefined
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
  #cancels: Array<() => void> = []
  readonly #apps: Applications

  constructor(plan: CallPlan, host: CallHost) {
    this.plan = plan
    this.#host = host
    this.#createdAt = host.timeline.now
    this.#apps = new Applications(plan.applications === "extension" ? [] : plan.applications, {
      timeline: host.timeline,
      audio: host.audio,
      emit: (name, extra) => this.#emit(name, extra),
      variables: this.#variables,
      given: plan.variables,
      hangUp: (cause) => this.#hangUpHere(cause)
    })
  }

  get heardMs(): number {
    return this.#apps.heardMs
  }

  get heard(): ReadonlyArray<string> {
    return this.#apps.heard
  }

  /** True while the channel exists and has not been hung up. */
  get alive(): boolean {
    return this.ended === undefined
  }

  get callState(): string {
    return this.#callState
  }

  /**
   * Starts the call. `finish` gets the answer of the originate once: when answered, at early media that counts as an
   * answer, or at failure.
   */
  start(callee: Callee, finish: (body: string) => void): void {
    this.#finish = finish
    this.#emit("CHANNEL_CREATE")
    this.#state = "CS_CONSUME_MEDIA"
    if (callee.kind === "fails") return this.#later(callee.afterMs ?? 20, () => this.#fail(callee.cause, "refused"))
    if (callee.kind === "answers" || callee.silent !== true)
      this.#later(1, () => this.#progress(callee.kind === "answers" && callee.earlyMedia === true))
    const { leg_timeout, originate_timeout } = this.plan.variables
    const seconds = Number(originate_timeout ?? this.plan.timeout ?? defaultTimeout)
    this.#later(Math.max(0, seconds * 1_000 - timeoutEarly), () => this.#fail("NO_ANSWER", "timed-out"))
    if (leg_timeout !== undefined)
      this.#later(Number(leg_timeout) * 1_000 + legTimeoutLate, () => this.#fail("ALLOTTED_TIMEOUT", "refused"))
    if (callee.kind === "answers") this.#later(callee.afterMs ?? 300, () => this.#answer(callee))
  }

  /** A key press of the callee. */
  press(digit: string): void {
    if (this.alive && this.#answeredAt !== 0) this.#apps.press(digit)
  }

  /**
   * Ends the call. `callee`: by a BYE. `switch`: by uuid_kill or similar; the running application then ends one frame
   * later.
   */
  hangUp(cause: string, by: "callee" | "switch"): void {
    if (!this.alive || this.cause !== undefined) return
    if (this.#answeredAt === 0 && this.#finish !== undefined) return this.#fail(cause, "timed-out")
    if (by === "callee") this.#variables["proto_specific_hangup_cause"] = "sip:200"
    this.#hangingUp(cause)
    if (by === "callee") this.#variables["sip_hangup_disposition"] = "recv_bye"
    const rest = () => {
      this.#apps.end(by)
      this.#completed()
    }
    if (by === "callee") rest()
    else this.#host.timeline.after(frame, rest)
  }

  /** The switch process died: no more events. */
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
    this.#apps.cancel()
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
    if (callee.hangsUpAfterMs !== undefined)
      this.#later(callee.hangsUpAfterMs, () => this.hangUp("NORMAL_CLEARING", "callee"))
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
      this.#apps.next()
    })
  }

  /** The switch ends the call after its last application. */
  #hangUpHere(cause: string): void {
    this.#hangingUp(cause)
    this.#apps.executed("_none_")
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
    // The switch gave up. The callee's answer to the CANCEL arrives after the hangup event.
    if (ours)
      Object.assign(this.#variables, { sip_hangup_disposition: "send_cancel", sip_invite_failure_status: "487" })
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
    this.#variables["billsec"] = String(
      since === 0 ? 0 : Math.floor(this.#hangupAt / 1_000) - Math.floor(since / 1_000)
    )
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
    // A DTMF event has no channel variables.
    if (name !== "DTMF")
      for (const [key, value] of Object.entries({ direction: "outbound", uuid, ...variables, ...this.#variables }))
        own[`variable_${key}`] = value
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
      ...(this.#answeredAt === 0
        ? {}
        : { "Channel-Read-Codec-Name": "PCMU", "Channel-Read-Codec-Rate": String(channelRate) }),
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
