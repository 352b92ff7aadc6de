/** Test data for the telephony pages, created through the API as the page's user. */
import { expect } from "vitest"
import { type Console, type ConsoleUser, password } from "#support/console/Console.ts"

/** Makes API calls as this user. Returns the JSON of the answers. */
export const callsAs = async ({ run, suite }: Console, user: ConsoleUser) => {
  const { json } = await run(suite.call("POST", "/api/v1/auth/login", { body: { email: user.email, password } }))
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await run(
      suite.call(method, path, {
        headers: { authorization: `Bearer ${json.access_token}` },
        ...(body === undefined ? {} : { body })
      })
    )
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.json
  }
}

/** Creates a small telephone system: two extensions, and one of each object that leads to them. */
export const telephony = async (console: Console, user: ConsoleUser, domain: string) => {
  const ask = await callsAs(console, user)
  const make = (path: string, body: object) => ask("POST", `/api/v1/sip/${path}`, body)
  const area = domain.replace(/\D/g, "").padStart(4, "0").slice(-4)
  const ann = await make("extensions", { extension: "1001", name: "Ann", domain })
  const ben = await make("extensions", { extension: "1012", name: "Ben", domain, enabled: false })
  const trunk = await make("trunks", { name: "Provider", host: "sip.provider.test", networks: ["192.0.2.0/24"] })
  const group = await make("ring-groups", {
    name: "Sales",
    domain,
    number: "21",
    strategy: "sequence",
    ring_timeout: 20,
    extensions: ["1001", "1012"]
  })
  const box = await make("voicemail-boxes", { box: "1001", name: "Ann", domain, email: "ann@example.org" })
  const external = await make("external-numbers", { number: `+4917${area}5550`, name: "Ann's mobile" })
  const menu = await make("ivr-menus", {
    name: "Welcome",
    domain,
    greeting: "ivr/welcome.wav",
    entries: [{ digits: "1", destination_type: "ring_group", destination_id: group.id }]
  })
  const did = await make("dids", {
    number: `+4930${area}5550`,
    name: "Main",
    destination_type: "ivr_menu",
    destination_id: menu.id,
    trunk_id: trunk.id
  })
  const line = await make("lines", { extension_id: ann.id, trunk_id: trunk.id, did_id: did.id })
  await make("call-filters", { name: "Pests", type: "blacklist", pattern: "+4987*" })
  return { ask, ann, ben, trunk, group, box, external, menu, did, line }
}
