/**
 * Connection to the switch: SIP over WebSocket with sip.js. Loaded when the user turns the softphone on. `connect`
 * makes one attempt; Phone.ts decides about retries. Sources: RFC 7118, RFC 3261 §10.
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
  /** The socket closed or could not be opened, or the switch failed to register the phone for a temporary reason. */
  readonly cut: () => void
  /** The switch refused the password. */
  readonly refused: () => void
  readonly call: (event: CallEvent) => void
}

/** Limit for opening the socket. Unit: seconds. */
const connectWithin = 10

/** Lifetime of a registration. Unit: seconds. Reason: calls stop ringing for a closed tab soon afterwards. */
const registeredFor = 300

/** Part of the lifetime after which the registration is renewed. Unit: percent. */
const renewedAt = 80

/** Limit for unregistering. Unit: milliseconds. Reason: the user should not wait. */
const goodbye = 2_000

/** Longest ringing. Unit: seconds. Reason: the maximum of ring groups; normally the switch ends the ringing. */
const ringsAtMost = 600

/** WebSocket on the page's own host, the only one that the content security policy allows. */
const server = (): string => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/sip`

export class Line {
  readonly #agent: UserAgent
  readonly #told: Told
  readonly #domain: string
  #registerer: Registerer | undefined
  #call: LineCall | undefined
  #ended = false
  #watched: WebSocket | undefined
  /** Whether an attempt is running. The end of the first registration would undo a second one. */
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
      // A graceful shutdown waits for an event that browsers are removing.
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

  /** Opens the socket and then registers (RFC 7118 §5). */
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
      // A failed renewal; the next attempt finds the reason.
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

  /** Hangs up and unregisters; waits briefly for the switch's answer. */
  async close(): Promise<void> {
    const answered = this.leave()
    let timer: ReturnType<typeof setTimeout> | undefined
    await Promise.race([answered, new Promise((resolve) => (timer = setTimeout(resolve, goodbye)))])
    clearTimeout(timer)
    await this.#agent.stop().catch(() => undefined)
  }

  /** Hangs up and unregisters without waiting for answers, for a page that is being closed. */
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

  /** Closes a socket whose peer does not answer; the next attempt opens a new one. */
  #drop(): void {
    if (this.#ended) return
    this.#agent.transport.disconnect().catch(() => undefined)
    this.#told.cut()
  }

  /** Disposes the registration of a closed socket; a new one follows. */
  #forget(): void {
    const old = this.#registerer
    this.#registerer = undefined
    void old?.dispose().catch(() => undefined)
  }
}
