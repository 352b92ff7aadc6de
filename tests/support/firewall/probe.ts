// Asks a host which of its ports answer. Runs inside a namespace. Arguments: a JSON object with probes and a mark.
// Prints a JSON list of answers. A port counts as closed when the mark, sent later on the same wire, was answered
// three times: the slowness of the machine changes no answer. A datagram is sent again with each mark, as telephones
// do, because one can be lost.
import { createSocket } from "node:dgram"
import { connect } from "node:net"

export interface Probe {
  readonly kind: "tcp" | "udp"
  readonly port: number
  readonly from: string
  readonly to: string
  /** Local port; undefined: any. */
  readonly localPort?: number
}

const { mark, probes }: { readonly mark: Probe; readonly probes: ReadonlyArray<Probe> } = JSON.parse(process.argv[2]!)

/** Starts a probe. `answered` becomes true on an answer. */
const start = (probe: Probe) => {
  const state = { answered: false, heard: () => {}, repeat: () => {}, end: () => {} }
  const answer = () => {
    state.answered = true
    state.heard()
  }
  const local = probe.localPort ?? 0
  if (probe.kind === "tcp") {
    const socket = connect({ host: probe.to, port: probe.port, localAddress: probe.from, localPort: local }, answer)
    socket.on("error", () => {})
    state.end = () => socket.destroy()
  } else {
    const socket = createSocket(probe.to.includes(":") ? "udp6" : "udp4")
    socket.on("message", answer)
    socket.on("error", () => {})
    state.repeat = () => socket.send("REGISTER", probe.port, probe.to)
    socket.bind(local, probe.from, state.repeat)
    state.end = () => socket.close()
  }
  return state
}

const answered = (probe: Probe) =>
  new Promise<void>((resolve) => {
    const state = start(probe)
    state.heard = () => {
      state.end()
      resolve()
    }
  })

const answers: Array<boolean> = []
for (const probe of probes) {
  const state = start(probe)
  for (let round = 0; round < 3 && !state.answered; round++) {
    await answered(mark)
    if (!state.answered) state.repeat()
  }
  state.end()
  answers.push(state.answered)
}
process.stdout.write(JSON.stringify(answers))
process.exit(0)
