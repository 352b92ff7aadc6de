/** One call over the line: turns the events of a sip.js session into `CallState` events. Loaded with the line. */
import { Invitation, Inviter, type Session, SessionState, type UserAgent } from "sip.js"
import { type CallEvent, type Outcome, outcomeOf } from "./CallState.ts"
import { openMicrophone } from "./Devices.ts"
import { press } from "./Keys.ts"
import { mediaOf } from "./MediaHandler.ts"
import { hear, hearNothing } from "./Speaker.ts"

/**
 * Status that refuses a call on this phone only. Other phones of a group continue to ring, which 603 would stop.
 * Source: RFC 3261 §21.4.24, §16.7.
 */
export const busyHere = 486

export class LineCall {
  readonly session: Session
  readonly #tell: (event: CallEvent) => void
  #outcome: Outcome | undefined
  #muted = false
  #held = false
  /** Number of microphone changes; only the last one takes effect. */
  #changes = 0

  constructor(session: Session, tell: (event: CallEvent) => void) {
    this.session = session
    this.#tell = tell
    session.delegate = {
      onCancel: ({ request }) =>
        (this.#outcome = /cause\s*=\s*200\b/i.test(request.getHeader("reason") ?? "") ? "elsewhere" : "missed"),
      onBye: () => (this.#outcome = "hung-up"),
      onSessionDescriptionHandler: () => this.#watch()
    }
    session.stateChange.addListener((state) => {
      if (state === SessionState.Established) {
        this.#listen()
        this.#watchMicrophone()
        tell({ _tag: "Established", id: this.id, at: Date.now() })
      }
      if (state === SessionState.Terminated) {
        hearNothing()
        // sip.js reports the reason only after this state change.
        setTimeout(() => tell({ _tag: "Over", id: this.id, outcome: this.#outcome ?? "hung-up" }))
      }
    })
  }

  get id(): string {
    return this.session.id
  }

  get isOver(): boolean {
    return this.session.state === SessionState.Terminated
  }

  /** Starts an outgoing call. `address`: the other side's address. */
  static out(
    agent: UserAgent,
    address: NonNullable<ReturnType<typeof UserAgent.makeURI>>,
    tell: (event: CallEvent) => void
  ): LineCall {
    const inviter = new Inviter(agent, address, { earlyMedia: true })
    const call = new LineCall(inviter, tell)
    inviter
      .invite({
        requestDelegate: {
          onProgress: ({ message }) => {
            const early = message.body !== undefined && message.body !== ""
            if (early) call.#listen()
            if (early || message.statusCode === 180) tell({ _tag: "Alerting", id: call.id, early })
          },
          onReject: ({ message }) => (call.#outcome ??= outcomeOf(message.statusCode ?? 0))
        }
      })
      .catch((error: unknown) => call.#failed(error))
    return call
  }

  async answer(): Promise<void> {
    if (!(this.session instanceof Invitation)) return
    this.#tell({ _tag: "Answering", id: this.id })
    try {
      await this.session.accept()
    } catch (error) {
      this.#failed(error)
      if (!this.isOver) await this.session.reject({ statusCode: 480 }).catch(() => undefined)
    }
  }

  /** Ends the call in any state. */
  async end(outcome: Outcome = "hung-up"): Promise<void> {
    this.#outcome ??= outcome
    const { session } = this
    if (session.state === SessionState.Established) await session.bye()
    else if (session instanceof Inviter && !this.isOver && session.state !== SessionState.Terminating)
      await session.cancel()
    else if (session instanceof Invitation && !this.isOver) await session.reject({ statusCode: busyHere })
  }

  mute(on: boolean): void {
    this.#muted = on
    this.#speak()
    this.#tell({ _tag: "Muted", id: this.id, on })
    if (!on && mediaOf(this.session)?.sender?.track?.readyState === "ended") void this.#lostMicrophone()
  }

  /** Puts the call on hold or resumes it. On hold, audio is neither sent nor played. */
  async hold(on: boolean): Promise<void> {
    const silence = (held: boolean) => {
      this.#held = held
      mediaOf(this.session)?.enableReceiverTracks(!held)
      this.#speak()
    }
    this.session.sessionDescriptionHandlerOptionsReInvite = { hold: on } as object
    await this.session.invite({
      requestDelegate: {
        onAccept: () => {
          silence(on)
          this.#tell({ _tag: "Held", id: this.id, on })
        },
        onReject: () => silence(!on)
      }
    })
    if (on) silence(true)
  }

  async press(key: string): Promise<void> {
    await press(this.session, mediaOf(this.session), key)
    this.#tell({ _tag: "Tone", id: this.id, tone: key })
  }

  /**
   * Switches to the currently chosen microphone. Before the call has one, nothing is needed: the call opens the chosen
   * one later.
   */
  async changeMicrophone(): Promise<void> {
    const media = mediaOf(this.session)
    if (media?.sender === undefined) return
    const change = ++this.#changes
    const [track] = (await openMicrophone()).getAudioTracks()
    if (track === undefined) return
    // Meanwhile the call may have ended, or the user may have chosen another microphone.
    if (this.isOver || change !== this.#changes) return track.stop()
    track.enabled = this.#speaks
    await media.speakInto(track)
    this.#speak()
    this.#watchMicrophone()
  }

  get #speaks(): boolean {
    return !this.#muted && !this.#held
  }

  #speak(): void {
    mediaOf(this.session)?.enableSenderTracks(this.#speaks)
  }

  #watchMicrophone(): void {
    mediaOf(this.session)?.sender?.track?.addEventListener("ended", () => void this.#lostMicrophone(), { once: true })
  }

  /**
   * The microphone was unplugged or its permission revoked. Switches to another one; without one, the call is shown as
   * muted.
   */
  async #lostMicrophone(): Promise<void> {
    if (this.isOver) return
    await this.changeMicrophone().catch(() => this.mute(true))
  }

  #listen(): void {
    const media = mediaOf(this.session)
    if (media !== undefined) hear(media.remoteMediaStream)
  }

  /** Ends the call when the media connection has failed. */
  #watch(): void {
    const connection = mediaOf(this.session)?.peerConnection
    connection?.addEventListener("connectionstatechange", () => {
      if (connection.connectionState === "failed") void this.end("failed").catch(() => undefined)
    })
  }

  #failed(error: unknown): void {
    this.#outcome ??= error instanceof DOMException ? "no-microphone" : "failed"
  }
}
