/**
 * The line to the switch: SIP over WebSocket by sip.js. Loaded when somebody turns the softphone on. It tries once when
 * it is told to; when to try again is decided elsewhere. Sources: RFC 7118, RFC 3261 §10.
 */
import { type Invitation, Registerer, RegistererState, UserAgent, UserAgentState, Web } from "sip.js"
import type { Answer } from "../lib/Endpoints.ts"
import type { CallEvent } from "./CallState.ts"
import { busyHere, LineCall } from "./LineCall.ts"
import { MediaHandler } from "./MediaHandler.ts"
import { pulse } from "./Pulse.ts"
import { addressOf, numberOf } from "./Target.ts"

export type PhoneSettings = Answer<"GET /api/v1/sip/extensions/mine/:id/config">

export interface Told {
  readonly registered: () => void
  /** The socket did not open or closed, or the switch did not register us for reasons of its own. */
  readonly cut: () => void
  /** It does not take our password. */
  readonly refused: () => void
  readonly call: (event: CallEvent) => void
}

/** How long the socket may take to open. Unit: seconds. */
const connectWithin = 10

/** How long a registration holds. Unit: seconds. Reason: a tab that vanished is not rung much longer. */
const registeredFor = 300

/** At which part of that it is renewed. Unit: percent. */
const renewedAt = 80

/** How long signing off may take. Unit: milliseconds. Reason: who leaves does not wait. */
const goodbye = 2_000

/** The switch says when ringing ends; it has at most ten minutes (ring groups). Unit: seconds. */
const ringsAtMost = 600

/** Our own address: the only one that the page's policy lets it connect to. */
const server = (): string => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/sip`

export class Line {
  readonly #agent: UserAgent
  readonly #told: Told
  readonly #domain: string
  #registerer: Registerer | undefined
  #call: LineCall | undefined
  #ended = false
  #watched: WebSocket | undefined
  /** A try is under way: a second registration would be undone by the end of the first. */
  #trying = false

  constructor(settings: PhoneSettings, told: Told) {
    this.#told = told
    this.#domain = settings.domain
    this.#agent = new UserAgent({
      uri: UserAgent.makeURI(addressOf(settings.extension, settings.domain))!,
      authorizationUsername: settings.username,
      authorizationPassword: settings.password,
      displayName: settings.display_name,
      userAgentString: "Signalbox",
      transportOptions: { server: server(), connectionTimeout: connectWithin },
      noAnswerTimeout: ringsAtMost,
      // It would wait for an event that browsers do away with.
      gracefulShutdown: false,
      reconnectionAttempts: 0,
      logBuiltinEnabled: false,
      sessionDescriptionHandlerFactory: (session) =>
        new MediaHandler(session.userAgent.getLogger("media"), {
          codecs: settings.codecs,
          iceGatheringTimeout: settings.ice_gathering_timeout * 1000,
          iceServers: settings.stun_servers
        }),
      delegate: {
        onInvite: (invitation) => this.#rang(invitation),
        onDisconnect: (error) => {
          this.#trying = false
          this.#forget()
          if (error !== undefined && !this.#ended) told.cut()
        }
      }
    })
  }

  /** Opens the socket, and registers once it stands (RFC 7118 §5). */
  async connect(): Promise<void> {
    if (this.#trying) return
    this.#trying = true
    try {
      await (this.#agent.state === UserAgentState.Started ? this.#agent.reconnect() : this.#agent.start())
    } catch {
      this.#trying = false
      return this.#ended ? undefined : this.#told.cut()
    }
    if (this.#ended) return
    this.#forget()
    this.#watch()
    const registerer = new Registerer(this.#agent, {
      expires: registeredFor,
      refreshFrequency: renewedAt,
      logConfiguration: false
    })
    this.#registerer = registerer
    let asking = true
    registerer.stateChange.addListener((state) => {
      // A renewal that failed: the next try finds out why.
      if (state === RegistererState.Unregistered && !asking && !this.#ended && this.#registerer === registerer)
        this.#told.cut()
    })
    await registerer.register({
      requestDelegate: {
        onAccept: () => {
          asking = false
          this.#trying = false
          if (!this.#ended && this.#registerer === registerer) this.#told.registered()
        },
        onReject: ({ message: { statusCode = 0 } }) => {
          if (this.#ended || this.#registerer !== registerer) return
          this.#trying = false
          if (statusCode === 401 || statusCode === 403 || statusCode === 404 || statusCode === 407) this.#told.refused()
          else this.#drop()
        }
      }
    })
  }

  get call(): LineCall | undefined {
    return this.#call
  }

  dial(number: string): string | undefined {
    const address = UserAgent.makeURI(addressOf(number, this.#domain))
    if (address === undefined || this.#isBusy) return undefined
    this.#call = LineCall.out(this.#agent, address, this.#told.call)
    return this.#call.id
  }

  /** Hangs up and signs off; waits for the switch's answer, not for long. */
  async close(): Promise<void> {
    const answered = this.leave()
    let timer: ReturnType<typeof setTimeout> | undefined
    await Promise.race([answered, new Promise((resolve) => (timer = setTimeout(resolve, goodbye)))])
    clearTimeout(timer)
    await this.#agent.stop().catch(() => undefined)
  }

  /** The same at once, as the page goes away: what is said goes out, answers are not waited for. */
  leave(): Promise<void> {
    this.#ended = true
    void this.#call?.end().catch(() => undefined)
    const registerer = this.#registerer
    if (registerer?.state !== RegistererState.Registered) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => resolve()
      registerer.unregister({ requestDelegate: { onAccept: done, onReject: done } }).catch(done)
    })
  }

  get #isBusy(): boolean {
    return this.#call !== undefined && !this.#call.isOver
  }

  #rang(invitation: Invitation): void {
    if (this.#isBusy) return void invitation.reject({ statusCode: busyHere }).catch(() => undefined)
    this.#call = new LineCall(invitation, this.#told.call)
    const { displayName, uri } = invitation.remoteIdentity
    const number = numberOf(uri.user ?? "")
    this.#told.call({
      _tag: "Rang",
      id: this.#call.id,
      number,
      name: displayName === "" || displayName === number ? undefined : displayName
    })
  }

  #watch(): void {
    const socket = this.#agent.transport instanceof Web.Transport ? this.#agent.transport.ws : undefined
    if (socket === undefined || socket === this.#watched) return
    this.#watched = socket
    pulse(socket, () => this.#drop())
  }

  /** Gives up a socket on which nobody answers: the next try opens another one. */
  #drop(): void {
    if (this.#ended) return
    this.#agent.transport.disconnect().catch(() => undefined)
    this.#told.cut()
  }

  /** A registration of a socket that is gone; another one follows. */
  #forget(): void {
    const old = this.#registerer
    this.#registerer = undefined
    void old?.dispose().catch(() => undefined)
  }
}
