/**
 * A sip.js telephone in Node without audio: registers, calls, answers calls and hangs up. It sends a browser's session
 * description but no sound. Not for tests of audio.
 */
import { Effect } from "effect"
import {
  type Core,
  type Invitation,
  Inviter,
  Registerer,
  RegistererState,
  type Session,
  type SessionDescriptionHandler,
  SessionState,
  UserAgent
} from "sip.js"
import WebSocket, { type ClientOptions } from "ws"
import { poll } from "../peers/Loopback.ts"

export interface NodePhoneOptions {
  readonly user: string
  readonly domain: string
  readonly password: string
  /** Address of the server, `ws://…/sip` or `wss://…/sip`. */
  readonly server: string
  /** WebSocket options, for example headers of a proxy in front, or a CA certificate. */
  readonly socket?: ClientOptions
  /** Value of `transport=` in its Contact. Default ws, as in sip.js (RFC 7118 §5.2.3). */
  readonly contactTransport?: "ws" | "wss"
}

export interface NodePhone {
  /** Registers. Returns the status of the last answer; 200: registered. */
  readonly register: Effect.Effect<number>
  readonly unregister: Effect.Effect<void>
  /** Calls a number. Returns the call when answered, else the status of the refusal. */
  readonly call: (number: string) => Effect.Effect<NodeCall | number>
  /** Received calls, oldest first. Each is answered at once. */
  readonly calls: ReadonlyArray<NodeCall>
  /** Every received message, unchanged. */
  readonly heard: ReadonlyArray<string>
  /** Closes the connection, like a closed browser page. */
  readonly leave: Effect.Effect<void>
}

export interface NodeCall {
  /** Number of the other side. */
  readonly other: string
  /** Session description (SDP) from the other side. */
  readonly heard: () => string
  readonly state: () => SessionState
  readonly hangUp: Effect.Effect<void>
}

/** Longest wait for sip.js. Unit: milliseconds. */
const patience = 20_000

/** Options and received messages by server address. */
const sockets = new Map<string, { readonly options: ClientOptions; readonly heard: Array<string> }>()
let made = 0

/** sip.js is written for browsers and takes WebSocket from the global object. */
class Socket extends WebSocket {
  constructor(url: string, protocols: string) {
    super(url, protocols, sockets.get(url)?.options ?? {})
    this.on("message", (data) => sockets.get(url)?.heard.push((data as Buffer).toString("latin1")))
  }
}
Object.assign(globalThis, { WebSocket: Socket })

/**
 * Session description of a browser with one audio line. `setup`: `actpass` in an offer, `active` in an answer (RFC 5763
 * §5).
 */
const description = (setup: "actpass" | "active"): string =>
  [
    "v=0",
    "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=audio 9 UDP/TLS/RTP/SAVPF 111",
    "c=IN IP4 0.0.0.0",
    "a=rtcp:9 IN IP4 0.0.0.0",
    "a=ice-ufrag:Node",
    "a=ice-pwd:signallingOnly0123456789",
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`,
    `a=setup:${setup}`,
    "a=mid:0",
    "a=sendrecv",
    "a=rtcp-mux",
    "a=rtpmap:111 opus/48000/2",
    ""
  ].join("\r\n")

class Describing implements SessionDescriptionHandler {
  other = ""
  close() {}
  getDescription() {
    return Promise.resolve({
      body: description(this.other === "" ? "actpass" : "active"),
      contentType: "application/sdp"
    })
  }
  hasDescription(contentType: string) {
    return contentType === "application/sdp"
  }
  setDescription(sdp: string) {
    this.other = sdp
    return Promise.resolve()
  }
  sendDtmf() {
    return false
  }
}

const callOf = (session: Session): NodeCall => ({
  other: session.remoteIdentity.uri.user ?? "",
  heard: () => (session.sessionDescriptionHandler as Describing | undefined)?.other ?? "",
  state: () => session.state,
  hangUp: Effect.promise(async () => void (await session.bye()))
})

export const make = Effect.fnUntraced(function* ({
  contactTransport = "ws",
  domain,
  password,
  server,
  socket = {},
  user
}: NodePhoneOptions) {
  const url = `${server}?phone=${++made}`
  const heard: Array<string> = []
  sockets.set(url, { options: socket, heard })
  const calls: Array<NodeCall> = []
  const agent = new UserAgent({
    uri: UserAgent.makeURI(`sip:${user}@${domain}`)!,
    authorizationUsername: user,
    authorizationPassword: password,
    transportOptions: { server: url },
    contactParams: { transport: contactTransport },
    sessionDescriptionHandlerFactory: () => new Describing(),
    logBuiltinEnabled: false,
    delegate: {
      onInvite: (invitation: Invitation) => {
        calls.push(callOf(invitation))
        void invitation.accept().catch(() => undefined)
      }
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => agent.start()),
    () => Effect.promise(() => agent.stop())
  )
  const registerer = new Registerer(agent)
  return {
    calls,
    heard,
    register: Effect.promise(
      () =>
        new Promise<number>((resolve, reject) => {
          const said: NonNullable<Core.OutgoingRequestDelegate["onAccept"]> = ({ message }) =>
            resolve(message.statusCode ?? 0)
          registerer.register({ requestDelegate: { onAccept: said, onReject: said } }).catch(reject)
        })
    ),
    unregister: Effect.promise(async () => {
      await registerer.unregister()
      await poll(async () => registerer.state === RegistererState.Unregistered || undefined, patience)
    }),
    call: (number) =>
      Effect.promise(async () => {
        const inviter = new Inviter(agent, UserAgent.makeURI(`sip:${number}@${domain}`)!)
        let refused: number | undefined
        await inviter.invite({ requestDelegate: { onReject: ({ message }) => (refused = message.statusCode) } })
        const ended = await poll(
          async () => refused ?? (inviter.state === SessionState.Established ? callOf(inviter) : undefined),
          patience
        )
        return ended ?? Promise.reject(new Error(`nobody answered: ${inviter.state}`))
      }),
    leave: Effect.promise(() => agent.stop())
  } satisfies NodePhone as NodePhone
})
