/** A page with only a sip.js telephone. Tests build it, open it twice and control it through `phone`. */
import { type Session, Web } from "sip.js"

/** Interface between the test and the page. */
export interface PagePhone {
  /** Connects to `/sip` of the page's own host and registers. */
  readonly register: (user: string, domain: string, password: string) => Promise<void>
  readonly call: (number: string) => Promise<void>
  readonly answer: () => Promise<void>
  readonly hangUp: () => Promise<void>
  readonly leave: () => Promise<void>
  /** State of the telephone: `idle`, `registered`, `called`, `calling` or `talking`. */
  readonly state: () => string
  /** Energy of received sound that is not silence, and number of received packets. */
  readonly heard: () => Promise<{ readonly packets: number; readonly energy: number }>
  /** Session description (SDP) of the other side. */
  readonly remoteDescription: () => string
}

declare global {
  var phone: PagePhone
}

let user: Web.SimpleUser
let domain: string
let state = "idle"

/** Reads the private session of SimpleUser, which has no accessor for it. */
const connection = (): RTCPeerConnection | undefined => {
  const session = (user as unknown as { readonly session?: Session }).session
  return (session?.sessionDescriptionHandler as Web.SessionDescriptionHandler | undefined)?.peerConnection
}

globalThis.phone = {
  register: async (number, ofDomain, password) => {
    domain = ofDomain
    const registered = Promise.withResolvers<void>()
    user = new Web.SimpleUser(`wss://${location.host}/sip`, {
      aor: `sip:${number}@${domain}`,
      media: { constraints: { audio: true, video: false }, remote: { audio: document.querySelector("audio")! } },
      userAgentOptions: {
        authorizationUsername: number,
        authorizationPassword: password,
        logBuiltinEnabled: false,
        // The settings that telephones get: no STUN, five seconds for ICE.
        sessionDescriptionHandlerFactoryOptions: {
          iceGatheringTimeout: 5_000,
          peerConnectionConfiguration: { iceServers: [] }
        }
      },
      delegate: {
        onRegistered: () => {
          state = "registered"
          registered.resolve()
        },
        onUnregistered: () => registered.reject(new Error("not registered")),
        onCallReceived: () => void (state = "called"),
        onCallCreated: () => void (state = state === "called" ? state : "calling"),
        onCallAnswered: () => void (state = "talking"),
        onCallHangup: () => void (state = "registered")
      }
    })
    await user.connect()
    await user.register()
    await registered.promise
  },
  call: (number) => user.call(`sip:${number}@${domain}`),
  answer: () => user.answer(),
  hangUp: () => user.hangup(),
  leave: () => user.disconnect(),
  state: () => state,
  heard: async () => {
    let [packets, energy] = [0, 0]
    for (const one of ((await connection()?.getStats()) ?? new Map()).values()) {
      if (one.type !== "inbound-rtp") continue
      packets += one.packetsReceived
      energy += one.totalAudioEnergy
    }
    return { packets, energy }
  },
  remoteDescription: () => connection()?.remoteDescription?.sdp ?? ""
}
