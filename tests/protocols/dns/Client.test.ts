import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { networkInterfaces } from "node:os"
import * as Client from "#protocols/dns/Client.ts"
import type { Asking } from "#protocols/dns/Message.ts"
import { eventually } from "#support/Processes.ts"
import * as Hostile from "../../support/dns/HostileServer.ts"
import { makeNetwork } from "../../support/dns/Network.ts"

/** Longer than a busy process can be delayed, so that no answer is too late and nothing is asked twice. */
const limits: Client.Limits = { ...Client.defaultLimits, tries: [10_000], tcp: 10_000 }
const question: Asking = { name: "www.example.test", type: "A", recursion: false }
const right = Hostile.a("www.example.test", "192.0.2.1")
const wrong = Hostile.a("www.example.test", "198.51.100.66")

/** Queries a server that gives these answers. */
const asking = Effect.fnUntraced(function* (
  answer: (asked: Hostile.Asked) => ReadonlyArray<Hostile.Sent>,
  options: { readonly asking?: Partial<Asking>; readonly tcp?: boolean; readonly limits?: Client.Limits } = {}
) {
  const server = yield* Hostile.make(makeNetwork().address(1), 0, answer, { tcp: options.tcp ?? true })
  const client = yield* Client.make(options.limits ?? limits)
  const reply = yield* Effect.promise(() =>
    client.ask({ ...question, ...options.asking, server, until: performance.now() + 10_000 })
  )
  return { reply, server, values: typeof reply === "string" ? reply : reply.answers.map(({ content }) => content) }
})

describe("what is believed", () => {
  it.live("the answer to the question", () =>
    Effect.gen(function* () {
      const { reply, server } = yield* asking(() => [
        { answers: [right], additionals: [Hostile.a("bank.test", "198.51.100.66")] }
      ])
      assert.deepInclude(reply, {
        rcode: 0,
        authoritative: true,
        truncated: false,
        answers: [{ name: "www.example.test", type: 1, ttl: 300, content: "192.0.2.1" }],
        additionals: []
      })
      assert.deepInclude(server.asked[0], { name: "www.example.test", type: "A", over: "udp", edns: true })
      assert.strictEqual(server.asked[0]?.query.flag_rd, false)
    })
  )

  it.live("in whatever case the question comes back", () =>
    Effect.gen(function* () {
      const { values } = yield* asking(() => [
        { question: { name: "WWW.Example.TEST", type: "A" }, answers: [Hostile.a("WWW.eXample.test", "192.0.2.1")] }
      ])
      assert.deepStrictEqual(values, ["192.0.2.1"])
    })
  )

  it.live("not with another id, question or type, from elsewhere, or as a question: the right one is waited for", () =>
    Effect.gen(function* () {
      const { server, values } = yield* asking(({ query }) => [
        { id: (query.id ?? 0) ^ 1, answers: [wrong] },
        { question: { name: "www.example.tesu", type: "A" }, answers: [wrong] },
        { question: { name: "www.example.test", type: "AAAA" }, answers: [wrong] },
        { question: "none", answers: [wrong] },
        { fromElsewhere: true, answers: [wrong] },
        { raw: Buffer.concat([Buffer.from([(query.id ?? 0) >> 8, (query.id ?? 0) & 255, 0, 0]), Buffer.alloc(8)]) },
        { raw: Buffer.alloc(3) },
        { answers: [right], after: 100 }
      ])
      assert.deepStrictEqual(values, ["192.0.2.1"])
      assert.lengthOf(server.asked, 1)
    })
  )

  it.live("nothing else ends as a time-out", () =>
    Effect.gen(function* () {
      const { reply, server } = yield* asking(({ query }) => [{ id: (query.id ?? 0) ^ 0x8000, answers: [wrong] }], {
        limits: { ...limits, tries: [300, 300, 300] }
      })
      assert.strictEqual(reply, "timeout")
      yield* eventually("the server has read all three", () => server.asked.length >= 3)
      assert.lengthOf(server.asked, 3)
    })
  )

  it.live("what cannot be read is called so", () =>
    Effect.gen(function* () {
      const cut = yield* asking(({ query }) => {
        const whole = Buffer.concat([
          Buffer.alloc(12),
          Buffer.from("\u0003www\u0007example\u0004test\u0000\u0000\u0001\u0000\u0001", "latin1"),
          Buffer.from([0xc0, 12, 0, 1])
        ])
        whole.writeUInt16BE(query.id ?? 0, 0)
        whole.writeUInt32BE(0x8400_0001, 2)
        whole.writeUInt16BE(7, 6)
        return [{ raw: whole }]
      })
      assert.strictEqual(cut.reply, "malformed")
    })
  )
})

describe("when no answer comes", () => {
  it.live("it is asked again, and a late answer to an earlier try is taken", () =>
    Effect.gen(function* () {
      const { server, values } = yield* asking(({ time }) => (time === 1 ? [{ answers: [right], after: 450 }] : []), {
        limits: { ...limits, tries: [300, 10_000] }
      })
      assert.deepStrictEqual(values, ["192.0.2.1"])
      assert.lengthOf(server.asked, 2)
    })
  )

  it.live("nothing is waited for longer than it is of use", () =>
    Effect.gen(function* () {
      const server = yield* Hostile.make(makeNetwork().address(1), 0, () => [])
      const client = yield* Client.make({ ...limits, tries: [10_000] })
      const begun = performance.now()
      assert.strictEqual(
        yield* Effect.promise(() => client.ask({ ...question, server, until: performance.now() + 200 })),
        "timeout"
      )
      assert.isBelow(performance.now() - begun, 5000)
    })
  )

  it.live("a server that is silent to several is not waited for by others, but by who is patient", () =>
    Effect.gen(function* () {
      let speaks = false
      const server = yield* Hostile.make(makeNetwork().address(1), 0, () => (speaks ? [{ answers: [right] }] : []))
      const client = yield* Client.make({ ...limits, tries: [3000] })
      const ask = (patient = false) =>
        Effect.promise(() => client.ask({ ...question, server, until: performance.now() + 5000, patient }))
      yield* Effect.forEach(Array.from({ length: 5 }), () => ask(), { concurrency: "unbounded" })
      speaks = true
      const before = server.asked.length
      assert.strictEqual(yield* ask(), "timeout")
      assert.lengthOf(server.asked, before)
      assert.isObject(yield* ask(true))
      assert.isObject(yield* ask(), "once it has spoken, it is asked again")
    })
  )

  it.live("it is told at once of what cannot be sent", () =>
    Effect.gen(function* () {
      const client = yield* Client.make(limits)
      // A broadcast address, to which an ordinary socket may not send.
      const reply = yield* Effect.promise(() =>
        client.ask({ ...question, server: { address: "255.255.255.255", port: 53 }, until: performance.now() + 5000 })
      )
      assert.strictEqual(reply, "unreachable")
    })
  )

  it.live("closing ends what is open, and what waits for room", () =>
    Effect.gen(function* () {
      const server = yield* Hostile.make(makeNetwork().address(1), 0, () => [])
      const open = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Client.make({
            ...limits,
            tries: [60_000],
            ofServer: () => ({ inFlight: 1, rate: 100 })
          })
          const ask = () => client.ask({ ...question, server, until: performance.now() + 60_000 })
          return [ask(), ask(), client] as const
        })
      )
      assert.deepStrictEqual(yield* Effect.promise(() => Promise.all([open[0], open[1]])), ["timeout", "timeout"])
      assert.strictEqual(
        yield* Effect.promise(() => open[2].ask({ ...question, server, until: performance.now() + 60_000 })),
        "timeout"
      )
    })
  )

  it.live("who waits for room does so until it is of no use, whoever came first", () =>
    Effect.gen(function* () {
      const server = yield* Hostile.make(makeNetwork().address(1), 0, () => [])
      const client = yield* Client.make({ ...limits, tries: [60_000], ofServer: () => ({ inFlight: 1, rate: 100 }) })
      const ended: Array<string> = []
      const begun = performance.now()
      const ask = (name: string, within: number) =>
        client
          .ask({ ...question, server, until: begun + within })
          .then(
            (reply) =>
              void ended.push(`${name} ${reply} ${performance.now() - begun >= within - 1 ? "in time" : "early"}`)
          )
      const [, second, third, fourth] = [
        ask("first", 20_000),
        // Far behind the others, because the client ends all that are due at once in the order in which they came.
        ask("second", 4000),
        ask("third", 300),
        ask("fourth", 600)
      ]
      yield* Effect.promise(() => Promise.all([second, third, fourth]))
      assert.deepStrictEqual(ended, ["third timeout in time", "fourth timeout in time", "second timeout in time"])
      assert.isBelow(performance.now() - begun, 10_000)
    })
  )

  const loopback6 = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === "::1")
  it.live.skipIf(!loopback6)("a server is asked over IPv6, too", () =>
    Effect.gen(function* () {
      const server = yield* Hostile.make("::1", 0, () => [
        { fromElsewhere: true, answers: [wrong] },
        { answers: [right] }
      ])
      const client = yield* Client.make(limits)
      const reply = yield* Effect.promise(() => client.ask({ ...question, server, until: performance.now() + 5000 }))
      assert.deepInclude(reply, {
        rcode: 0,
        answers: [{ name: "www.example.test", type: 1, ttl: 300, content: "192.0.2.1" }]
      })
      assert.deepStrictEqual(
        server.asked.map(({ from, over }) => [from, over]),
        [["::1", "udp"]]
      )
    })
  )
})

describe("over TCP", () => {
  const long = Array.from({ length: 100 }, (_, n): Hostile.Sent["answers"] => [
    { type: "TXT", name: "www.example.test", ttl: 60, data: `${n}`.padEnd(200, "x") }
  ]).flatMap((one) => one ?? [])

  it.live("comes what does not fit, whole", () =>
    Effect.gen(function* () {
      const { server, values } = yield* asking(
        ({ over }) => (over === "udp" ? [{ truncated: true, answers: [wrong] }] : [{ answers: long }]),
        { asking: { type: "TXT" } }
      )
      assert.lengthOf(values as ReadonlyArray<string>, 100)
      assert.deepStrictEqual(
        server.asked.map(({ over }) => over),
        ["udp", "tcp"]
      )
    })
  )

  it.live("an answer to something else is none, a silent or shut server ends in time", () =>
    Effect.gen(function* () {
      const answers =
        (sent: ReadonlyArray<Hostile.Sent>) =>
        ({ over }: Hostile.Asked) =>
          over === "udp" ? [{ truncated: true }] : sent
      const other = yield* asking(answers([{ question: { name: "other.test", type: "A" }, answers: [wrong] }]))
      const again = yield* asking(answers([{ truncated: true }]))
      const silent = yield* asking(answers([]), { limits: { ...limits, tcp: 1500 } })
      const shut = yield* asking(answers([]), { tcp: false })
      assert.deepStrictEqual(
        [other, again, silent, shut].map(({ reply }) => reply),
        ["malformed", "malformed", "timeout", "unreachable"]
      )
    })
  )
})

it.live("a server that does not know EDNS is asked without, with or without the question repeated", () =>
  Effect.gen(function* () {
    for (const refusal of [{ rcode: 1 }, { rcode: 1, question: "none" as const }, { rcode: 4 }]) {
      const { server, values } = yield* asking(({ edns }) => [
        edns ? { ...refusal, authoritative: false } : { answers: [right] }
      ])
      assert.deepStrictEqual(values, ["192.0.2.1"])
      assert.deepStrictEqual(
        server.asked.map(({ edns }) => edns),
        [true, false]
      )
    }
  })
)

describe("bounds", () => {
  const many = Effect.fnUntraced(function* (bounds: Partial<Client.Limits>, questions: number) {
    let open = 0
    let most = 0
    const server = yield* Hostile.make(makeNetwork().address(1), 0, () => {
      most = Math.max(most, ++open)
      setTimeout(() => open--, 20)
      return [{ answers: [right], after: 25 }]
    })
    const client = yield* Client.make({ ...limits, tries: [5000], ...bounds })
    const begun = performance.now()
    const replies = yield* Effect.forEach(
      Array.from({ length: questions }),
      () => Effect.promise(() => client.ask({ ...question, server, until: performance.now() + 10_000 })),
      { concurrency: "unbounded" }
    )
    return { most, server, replies, took: performance.now() - begun }
  })

  it.live("at most so many in flight at one server, and in all; all are answered", () =>
    Effect.gen(function* () {
      for (const bounds of [
        { ofServer: () => ({ inFlight: 4, rate: 10_000 }) },
        { inAll: 4, ofServer: () => ({ inFlight: 100, rate: 10_000 }) }
      ]) {
        const { most, replies, server } = yield* many(bounds, 40)
        assert.isTrue(replies.every((reply) => typeof reply === "object"))
        assert.isAtMost(most, 4)
        assert.lengthOf(server.asked, 40)
      }
    })
  )

  it.live("at most so many a second, after a burst of as many", () =>
    Effect.gen(function* () {
      const { replies, took } = yield* many({ ofServer: () => ({ inFlight: 100, rate: 40 }) }, 60)
      assert.isTrue(replies.every((reply) => typeof reply === "object"))
      // 40 queries at once, then 20 more at 40 per second.
      assert.isAtLeast(took, 450)
    })
  )

  it.live("who has not asked yet begins when there is room, one by one, after those who ask", () =>
    Effect.gen(function* () {
      for (const bounds of [
        { ofServer: () => ({ inFlight: 2, rate: 1000 }) },
        { inAll: 2 },
        { ofServer: () => ({ inFlight: 100, rate: 2 }) }
      ]) {
        const server = yield* Hostile.make(makeNetwork().address(1), 0, () => [{ answers: [right] }])
        const client = yield* Client.make({ ...limits, ...bounds })
        const order: Array<string> = []
        const ask = (name: string) => {
          order.push(`${name} asks`)
          return client
            .ask({ ...question, server, until: performance.now() + 20_000 })
            .then((reply) => void order.push(`${name} ${typeof reply}`))
        }
        const begun = (name: string) =>
          new Promise<void>((resolve) => client.whenRoom(server, () => resolve(ask(name))))
        const all = [begun("a"), begun("b"), begun("c"), begun("d"), ask("e")]
        assert.deepStrictEqual(order, ["a asks", "b asks", "e asks"])
        yield* Effect.promise(() => Promise.all(all))
        assert.isBelow(order.indexOf("a object"), order.indexOf("c asks"))
        assert.isBelow(order.indexOf("c asks"), order.indexOf("d asks"))
        assert.lengthOf(
          order.filter((one) => one.endsWith("object")),
          5
        )
      }
    })
  )

  it.live("nobody is held back at a server that is silent, or by a client that is closed", () =>
    Effect.gen(function* () {
      const server = yield* Hostile.make(makeNetwork().address(1), 0, () => [])
      let begun = 0
      const client = yield* Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Client.make({
            ...limits,
            tries: [60_000],
            ofServer: () => ({ inFlight: 1, rate: 100 })
          })
          void client.ask({ ...question, server, until: performance.now() + 60_000 })
          for (let one = 0; one < 3; one++) client.whenRoom(server, () => begun++)
          assert.strictEqual(begun, 0)
          return client
        })
      )
      client.whenRoom(server, () => begun++)
      assert.strictEqual(begun, 4)
      const shut = yield* Effect.scoped(
        Effect.gen(function* () {
          const slow = yield* Client.make({ ...limits, tries: [50], ofServer: () => ({ inFlight: 5, rate: 1 }) })
          const asked = slow.ask({ ...question, server, until: performance.now() + 5000 })
          slow.whenRoom(server, () => begun++)
          assert.strictEqual(begun, 4)
          yield* Effect.promise(() => asked)
          return slow
        })
      )
      assert.strictEqual(begun, 5, "with nothing in flight that would make room")
      shut.whenRoom(server, () => begun++)
      const other = yield* Client.make({ ...limits, tries: [50], ofServer: () => ({ inFlight: 5, rate: 100 }) })
      const ask = () => other.ask({ ...question, server, until: performance.now() + 5000 })
      yield* Effect.promise(() => Promise.all(Array.from({ length: 5 }, ask)))
      for (let one = 0; one < 5; one++)
        void other.ask({ ...question, server, until: performance.now() + 5000, patient: true })
      other.whenRoom(server, () => begun++)
      assert.strictEqual(begun, 7)
    })
  )

  it.live("questions leave from several ports", () =>
    Effect.gen(function* () {
      const { server } = yield* many({ ofServer: () => ({ inFlight: 100, rate: 10_000 }) }, 100)
      assert.isAtLeast(new Set(server.asked.map(({ port }) => port)).size, 3)
      assert.isAtLeast(new Set(server.asked.map(({ query }) => query.id)).size, 95)
    })
  )
})
