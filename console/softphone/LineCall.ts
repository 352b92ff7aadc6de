/** One call over the line: sip.js's session, told of in the words of `CallState`. Loaded with the line. */
import { Invitation, Inviter, type Session, SessionState, type UserAgent } from "sip.js"
import { type CallEvent, type Outcome, outcomeOf } from "./CallState.ts"
import { openMicrophone } from "./Devices.ts"
import { press } from "./Keys.ts"
import { mediaOf } from "./MediaHandler.ts"
import { hear, hearNothing } from "./Speaker.ts"

/** Only this phone is busy: other phones of a group ring on, which 603 would end. Source: RFC 3261 §21.4.24, §16.7. */
export const busyHere = 486

export class LineCall {
  readonly session: Session
  readonly #tell: (event: CallEvent) => void
  #outcome: Outcome | undefined
  #muted = false
  #held = false
  /** Of the microphone; the last one holds. */
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
        // Why is known a moment later.
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

  /** Calls. `address`: of the other side. */
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

  /** Ends it, whatever it is at. */
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

  /** Asks the other side to hold, or to go on; nothing is sent and played meanwhile. */
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
   * Speaks into the microphone that is chosen now. Before there is any, the one that is chosen then will be asked for.
   */
  async changeMicrophone(): Promise<void> {
    const media = mediaOf(this.session)
    if (media?.sender === undefined) return
    const change = ++this.#changes
    const [track] = (await openMicrophone()).getAudioTracks()
    if (track === undefined) return
    // By now the call may be over, or another one chosen.
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
   * Pulled out, or taken back by the person. Another one is spoken into; where there is none, the call shows that
   * nothing is sent.
   */
  async #lostMicrophone(): Promise<void> {
    if (this.isOver) return
    await this.changeMicrophone().catch(() => this.mute(true))
  }

  #listen(): void {
    const media = mediaOf(this.session)
    if (media !== undefined) hear(media.remoteMediaStream)
  }

  /** A way to the other side that is lost for good ends the call. */
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
