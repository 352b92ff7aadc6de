/**
 * baresip, a real softphone, for tests. It has no sound device: it plays a tone and records received sound into a file.
 * It answers every call at once. The test controls it over its control socket (module ctrl_tcp).
 */
import { Effect } from "effect"
import { copyFileSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { freePort, poll } from "../peers/Loopback.ts"
import * as PeerPlace from "../peers/PeerPlace.ts"
import * as ServerProcess from "../peers/ServerProcess.ts"
import type { Account } from "./SipPlace.ts"

export interface BaresipOptions {
  readonly account: Account
  /** `ws` needs the peer `baresipWs`; the connection is made to the path `/`. */
  readonly transport: "udp" | "tls" | "ws"
  /** Loopback port of the switch for that transport. */
  readonly port: number
  /** Path of the CA certificate that baresip trusts for SIP over TLS. */
  readonly authorityFile: string
  /**
   * Whether it calls browsers: media encrypted with DTLS-SRTP over ICE (RFC 8827). Default: neither, like desk
   * telephones.
   */
  readonly browsers?: boolean
}

export interface Baresip {
  /** Registers. True: registered; false: refused. */
  readonly register: Effect.Effect<boolean>
  /** Calls a number. True: answered; false: refused. */
  readonly call: (number: string) => Effect.Effect<boolean>
  readonly hangUp: Effect.Effect<void>
  /** Waits for an event of this type and drops earlier events. `register` and `call` clear earlier events. */
  readonly told: (type: string) => Effect.Effect<BaresipEvent>
  /** Bytes of received sound over all calls. */
  readonly heardBytes: () => number
}

export interface BaresipEvent {
  readonly type: string
  readonly param?: string
  readonly peeruri?: string
}

/** Longest wait for an event. Unit: milliseconds. */
const patience = 20_000

/** Size of a WAV file header. Unit: bytes. */
const wavHeader = 44

const configuration = (
  folder: string,
  sipPort: number,
  controlPort: number,
  browsers: boolean
): string => `sip_listen 127.0.0.1:${sipPort}
sip_cafile ${join(folder, "authority.pem")}
net_interface 127.0.0.1
call_local_timeout 120
call_max_calls 8
audio_source aufile,${join(folder, "tone.wav")}
module_path /usr/lib/baresip/modules
module g711.so
${browsers ? "module ice.so\nmodule dtls_srtp.so\nrtcp_mux yes" : ""}
module aufile.so
module sndfile.so
snd_path ${folder}
module_tmp uuid.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${controlPort}
`

/** Starts a baresip without a registration. `register` registers it once. */
export const make = Effect.fnUntraced(function* ({
  account,
  authorityFile,
  browsers = false,
  port,
  transport
}: BaresipOptions) {
  const { domain, password, user } = account
  const identity = [
    `<sip:${user}@${domain};transport=${transport}>`,
    `auth_user=${user}`,
    `auth_pass=${password}`,
    `outbound="sip:127.0.0.1:${port};transport=${transport}"`,
    "regint=300",
    "answermode=auto",
    ...(browsers ? ["medianat=ice", "mediaenc=dtls_srtp"] : [])
  ].join(";")
  let control: Socket | undefined
  const start = Effect.gen(function* () {
    const { command, folder, inside } = yield* PeerPlace.make(transport === "ws" ? "baresipWs" : "baresip")
    const controlPort = yield* freePort
    copyFileSync(authorityFile, join(folder, "authority.pem"))
    writeFileSync(join(folder, "config"), configuration(inside, yield* freePort, controlPort, browsers))
    writeFileSync(join(folder, "contacts"), "")
    writeFileSync(join(folder, "tone.wav"), tone())
    yield* ServerProcess.make({
      peer: "baresip",
      ...command("baresip", ["-4", "-f", inside]),
      cwd: folder,
      isReady: async () => (control = await connected(controlPort)) !== undefined,
      log: () => ""
    })
    return folder
  })
  // For TLS baresip also takes the next port, which another program may have.
  const folder = yield* Effect.retry(start, {
    times: 4,
    while: ({ message }) => message.includes("Address already in use")
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => control?.destroy()))
  const events: Array<BaresipEvent> = []
  follow(control!, (said) => said.event === true && events.push(said as never))

  const order = (command: string, params = "") => {
    const text = JSON.stringify({ command, params, token: command })
    control!.write(`${Buffer.byteLength(text)}:${text},`)
  }
  const toldOne = (...types: ReadonlyArray<string>) =>
    Effect.promise(async () => {
      const one = await poll(async () => {
        const at = events.findIndex(({ type }) => types.includes(type))
        return at === -1 ? undefined : events.splice(0, at + 1).at(-1)
      }, patience)
      return one ?? Promise.reject(new Error(`baresip was not told ${types.join(" or ")}: ${JSON.stringify(events)}`))
    })
  const afresh = (command: string, params?: string) =>
    Effect.sync(() => {
      events.length = 0
      order(command, params)
    })
  return {
    register: Effect.map(
      Effect.andThen(afresh("uanew", identity), toldOne("REGISTER_OK", "REGISTER_FAIL")),
      ({ type }) => type === "REGISTER_OK"
    ),
    call: (number) =>
      Effect.map(
        Effect.andThen(afresh("dial", `sip:${number}@${domain}`), toldOne("CALL_ESTABLISHED", "CALL_CLOSED")),
        ({ type }) => type === "CALL_ESTABLISHED"
      ),
    hangUp: Effect.sync(() => order("hangup")),
    told: toldOne,
    heardBytes: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith("-dec.wav"))
        .reduce((sum, name) => sum + Math.max(0, statSync(join(folder, name)).size - wavHeader), 0)
  } satisfies Baresip as Baresip
})

const connected = (port: number): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => resolve(socket))
    socket.once("error", () => resolve(undefined))
  })

/** Ten seconds of 440 Hz as a telephone WAV: 8,000 samples per second, 16 bits, mono. */
const tone = (): Buffer => {
  const samples = Int16Array.from({ length: 80_000 }, (_, at) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / 8_000))
  )
  const header = Buffer.alloc(wavHeader)
  header.write("RIFF", 0)
  header.writeUInt32LE(36 + samples.byteLength, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8_000, 24)
  header.writeUInt32LE(16_000, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write("data", 36)
  header.writeUInt32LE(samples.byteLength, 40)
  return Buffer.concat([header, Buffer.from(samples.buffer)])
}

/** Parses netstrings that contain JSON. */
const follow = (socket: Socket, hear: (said: { readonly event?: boolean }) => void): void => {
  let buffered = Buffer.alloc(0)
  socket.on("error", () => undefined)
  socket.on("data", (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk])
    for (;;) {
      const colon = buffered.indexOf(":")
      const size = Number(buffered.subarray(0, Math.max(0, colon)).toString())
      if (colon === -1 || buffered.length < colon + size + 2) return
      hear(JSON.parse(buffered.subarray(colon + 1, colon + 1 + size).toString()))
      buffered = buffered.subarray(colon + size + 2)
    }
  })
}
