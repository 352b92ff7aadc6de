/** Events that a client receives, depending on its position. */
import { assert, it } from "@effect/vitest"
import { PassThrough } from "node:stream"
import WebSocket from "ws"
import { Connection } from "#daemons/comm-dispatcher/event-socket/hub/Connection.ts"

it("wants what lies behind where it stands, and neither that place itself nor what came before", () => {
  const connection = new Connection(new WebSocket(null as never, undefined, {}), new PassThrough(), "192.0.2.1")
  Object.assign(connection, { audience: { tenantId: 7, userId: 70 }, patterns: ["walk.*"] })
  const event = (xid: bigint, id: bigint) => ({
    at: { xid, id },
    type: "walk.one",
    tenantId: 7,
    userId: null,
    data: "{}"
  })
  assert.isFalse(connection.wants(event(101n, 1n)), "it does not listen yet")
  connection.from = { xid: 100n, id: 5n }
  const at = [
    [99n, 9n],
    [100n, 4n],
    [100n, 5n],
    [100n, 6n],
    [101n, 1n]
  ] as const
  assert.deepStrictEqual(
    at.map(([xid, id]) => connection.wants(event(xid, id))),
    [false, false, false, true, true]
  )
})
