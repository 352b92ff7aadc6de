/** One call over the line: sip.js's session, told of in the words of `CallState`. Loaded with the line. */
import { Invitation, Inviter, type Session, SessionState, type UserAgent } from "sip.js"
import { type CallEvent, type Outcome, outcomeOf } from "./CallState.ts"
import { constraints } from "./Devices.ts"
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

  constructor(session: Session, tell: (event: CallEvent) => void) {
    this.session = session
    this.#tell = tell
    session.delegate = {
      onCancel: ({ request }) => (this.#outcome = /cause\s*=\s*200\b/i.test(request.getHeader("reason") ?? "") ? "elsewhere" : "missed"),
      onBye: () => (this.#outcome = "hung-up"),
      onSessionDescriptionHandler: () => this.#watch()
    }
    session.stateChange.addListener((state) => {
      if (state === SessionState.Established) {
        this.#listen()
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
  static out(agent: UserAgent, address: NonNullable<ReturnType<typeof UserAgent.makeURI>>, tell: (event: CallEvent) => void): LineCall {
    const inviter = new Inviter(agent, address, { earlyMedia: true, sessionDescriptionHandlerOptions: { constraints: { audio: constraints(), video: false } } as object })
    const call = new LineCall(inviter, tell)
    inviter.invite({
      requestDelegate: {
        onProgress: ({ message }) => {
          const early = message.body !== undefined && message.body !== ""
          if (early) call.#listen()
          if (early || message.statusCode === 180) tell({ _tag: "Alerting", id: call.id, early })
        },
        onReject: ({ message }) => (call.#outcome ??= outcomeOf(message.statusCode ?? 0))
      }
    }).catch((error: unknown) => call.#failed(error))
    return call
  }

  async answer(): Promise<void> {
    if (!(this.session instanceof Invitation)) return
    this.#tell({ _tag: "Answering", id: this.id })
    try {
      await this.session.accept({ sessionDescriptionHandlerOptions: { constraints: { audio: constraints(), video: false } } as object })
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
    else if (session instanceof Inviter && !this.isOver && session.state !== SessionState.Terminating) await session.cancel()
    else if (session instanceof Invitation && !this.isOver) await session.reject({ statusCode: busyHere })
  }

  mute(on: boolean): void {
    this.#muted = on
    this.#send(!on)
    this.#tell({ _tag: "Muted", id: this.id, on })
  }

  /** Asks the other side to hold, or to go on; nothing is sent and played meanwhile. */
  async hold(on: boolean): Promise<void> {
    const silence = (held: boolean) => {
      mediaOf(this.session)?.enableReceiverTracks(!held)
      this.#send(!held && !this.#muted)
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

  /** Speaks into the microphone that is chosen now. */
  async changeMicrophone(): Promise<void> {
    const media = mediaOf(this.session)
    if (media === undefined || this.session.state !== SessionState.Established) return
    const [track] = (await navigator.mediaDevices.getUserMedia({ audio: constraints() })).getAudioTracks()
    if (track === undefined) return
    track.enabled = !this.#muted
    await media.speakInto(track)
  }

  #send(on: boolean): void {
    mediaOf(this.session)?.enableSenderTracks(on)
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
    this.#outcome ??= error instanceof DOMException || (error instanceof Error && /media devices/i.test(error.message)) ? "no-microphone" : "failed"
  }
}
