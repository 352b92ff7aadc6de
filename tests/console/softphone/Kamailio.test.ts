/**
 * The softphone with a real Kamailio that asks sip-config for passwords and call routes: two browsers call each other.
 */
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as ServiceTokenStore from "#core/auth/ServiceTokenStore.ts"
import { consoleTests } from "#support/console/Console.ts"
import { ensurePeers, requirePeer } from "#support/peers/install.ts"
import { freePort } from "#support/peers/Loopback.ts"
import * as Kamailio from "#support/sip/Kamailio.ts"
import { makeCertificate } from "#support/sip/TestCertificate.ts"
import { fakeMicrophone, openPhone, person, poll, telephoning, traffic, until } from "./SoftphoneHome.ts"

const env: Record<string, string> = {}
const scope = Scope.makeUnsafe()
const within = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
let port = 0
beforeAll(async () => {
  await ensurePeers(["sip"])
  port = await within(freePort)
  env["SIGNALBOX_SIP_WS_URL"] = `ws://127.0.0.1:${port}`
}, 120_000)
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)), 60_000)
const console = consoleTests({ env, daemons: telephoning, browserArgs: fakeMicrophone })

describe("the softphone at Kamailio", () => {
  it("registers, calls, is heard and hangs up", async (context) => {
    if (!requirePeer("kamailio").available) return context.skip("tests need Kamailio")
    const { token } = await console.run(
      Effect.provideService(
        ServiceTokenStore.create({ name: "switch", scopes: ["switch"] }),
        SqlClient.SqlClient,
        console.suite.sql
      )
    )
    const kamailio = await within(
      Effect.gen(function* () {
        const made = yield* Kamailio.make({
          certificate: yield* makeCertificate,
          token: Redacted.value(token),
          xmlUrl: `${console.base}/switch/xml`,
          tcpPort: port
        })
        yield* made.start
        return made
      })
    )
    const tenant = await console.tenant()
    const domain = "voice51.example.org"
    const ann = await person(console, "1801", { name: "Ann Example", tenant, domain })
    const ben = await person(console, "1802", { name: "Ben Example", tenant, domain })
    const [a, b] = [await openPhone(console, ann), await openPhone(console, ben)]
    const registered = async () => (await Effect.runPromise(kamailio.contacts)).map(({ user }) => user).sort()
    expect(await registered()).toEqual([`1801@${domain}`, `1802@${domain}`])
    await a.getByLabel("Number or extension").fill("1802")
    await a.keyboard.press("Enter")
    await b.getByRole("alertdialog").getByRole("button", { name: "Answer" }).press("Enter")
    const [barA, barB] = [a, b].map((page) => page.getByRole("region", { name: "Call" })) as [
      ReturnType<typeof a.getByRole>,
      ReturnType<typeof a.getByRole>
    ]
    for (const bar of [barA, barB]) await bar.getByText("connected").waitFor()
    for (const page of [a, b]) {
      const { received } = await traffic(page)
      await poll(async () => (await traffic(page)).received).toBeGreaterThan(received + 1_000)
    }
    await barB.getByRole("button", { name: "Hold" }).press("Enter")
    await barB.getByText("on hold").waitFor()
    await barB.getByRole("button", { name: "Hang up" }).press("Enter")
    await barA.getByText("Call ended.").waitFor()
    await a.getByRole("button", { name: "Turn off" }).press("Enter")
    await until(async () => (await registered()).join() === `1802@${domain}`)
  }, 120_000)
})
