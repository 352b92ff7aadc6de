// Accepts connections at TCP ports and echoes datagrams at UDP ports, on all addresses. Runs inside a namespace.
// Arguments: a JSON object with the ports. Prints `ready`.
import { createSocket } from "node:dgram"
import { createServer } from "node:net"

const { tcp, udp }: { readonly tcp: ReadonlyArray<number>; readonly udp: ReadonlyArray<number> } = JSON.parse(
  process.argv[2]!
)
let waiting = tcp.length + udp.length
const ready = () => {
  waiting -= 1
  if (waiting === 0) process.stdout.write("ready\n")
}
for (const port of tcp) createServer((socket) => void socket.on("error", () => {})).listen(port, "::", ready)
for (const port of udp) {
  const socket = createSocket("udp6")
  socket.on("message", (bytes, peer) => socket.send(bytes, peer.port, peer.address))
  socket.bind(port, "::", ready)
}
