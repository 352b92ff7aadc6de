import fc from "fast-check"
import { once } from "node:events"
import { createServer, request, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { reader, valueOf } from "#core/http/RawHeaders.ts"

const names = ["x-forwarded-for", "x-forwarded-host", "x-original-url", "cookie", "host", "accept"] as const
const read = reader(names)

/** What Node says of a request, and what the raw list says. */
interface Seen {
  readonly node: Readonly<Record<string, unknown>>
  readonly ours: Readonly<Record<string, unknown>>
}
let seen: Seen | undefined
const server = createServer((message, response) => {
  const { headers, rawHeaders } = message
  const ofNode = Object.fromEntries(names.map((name) => [name, headers[name]]))
  const one = Object.fromEntries(names.map((name) => [name, valueOf(rawHeaders, name)]))
  expect(one).toEqual(ofNode)
  seen = { node: ofNode, ours: read(rawHeaders) }
  response.end()
})

beforeAll(async () => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const send = async (lines: ReadonlyArray<readonly [string, string]>) => {
  seen = undefined
  const { port } = server.address() as AddressInfo
  const sent = request({ host: "127.0.0.1", port, headers: [["Host", "a.example"], ...lines].flat() })
  const [answer] = (await once(sent.end(), "response")) as [IncomingMessage]
  answer.resume()
  return seen! as Seen
}

/** Chosen names in random case, and others of the same length or the same first letter. */
const name = fc
  .tuple(
    fc.constantFrom(...names, "x-forwarded-xyz", "cookiE2", "hosT2", "x-original-uri", "accepT-x"),
    fc.infiniteStream(fc.boolean())
  )
  .map(([text, upper]) => Array.from(text, (letter) => (upper.next().value ? letter.toUpperCase() : letter)).join(""))
const value = fc.constantFrom("1", "two", "a=b; c=d", "203.0.113.7, 192.0.2.1", "")

it("reads the same values as Node, also of repeated headers and in any case", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 8 }), async (lines) => {
      const { node, ours } = await send(lines)
      expect(ours).toEqual(node)
    }),
    { numRuns: 150 }
  )
})

it("joins cookies and forwarded addresses, and takes the first host", async () => {
  const { ours } = await send([
    ["X-Forwarded-For", "203.0.113.7"],
    ["HOST", "b.example"],
    ["cookie", "a=1"],
    ["x-forwarded-for", "192.0.2.1"],
    ["Cookie", "b=2"]
  ])
  expect(ours).toEqual({
    "x-forwarded-for": "203.0.113.7, 192.0.2.1",
    "x-forwarded-host": undefined,
    "x-original-url": undefined,
    cookie: "a=1; b=2",
    host: "a.example",
    accept: undefined
  })
})
