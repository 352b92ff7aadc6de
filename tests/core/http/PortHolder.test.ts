import { createServer } from "node:net"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { describeProgram, holderOf, inUse, listeningInodes } from "#core/http/PortHolder.ts"

/** Captured from /proc/net/tcp: a listener on 127.0.0.1:8080, a connection to it, and a listener on another port. */
const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 271828 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 314159 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 161803 1 0000000000000000 100 0 0 10 0
`

describe("the holder of a port", () => {
  it("is found by its listening socket, not by connections", () => {
    expect(listeningInodes(table, 8080)).toEqual(["271828"])
    expect(listeningInodes(table, 3000)).toEqual(["161803"])
    expect(listeningInodes(table, 1)).toEqual([])
  })

  it("is named without its arguments", () => {
    expect(describeProgram(7, "nginx", ["nginx: master process", "--password=hunter2"])).toBe("nginx (process 7)")
    expect(describeProgram(7, "node", ["/opt/node", "/srv/sb/dist/signalbox.js", "up"])).toBe(
      "another Signalbox (process 7)"
    )
  })

  it("is this process while it listens, and nobody afterwards", async () => {
    const server = createServer().listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    expect(holderOf(port)).toMatch(new RegExp(`\\(process ${process.pid}\\)$`))
    expect(inUse(port, "SIGNALBOX_GATEWAY_PORT")).toMatch(
      /\. Stop that program, or set SIGNALBOX_GATEWAY_PORT to another/
    )
    server.close()
    await once(server, "close")
    expect(holderOf(port)).toBeUndefined()
    expect(inUse(port, undefined)).toBe("the port is in use by another program")
  })
})
