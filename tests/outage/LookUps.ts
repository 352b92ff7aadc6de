/** A switch that asks at a steady pace, over kept connections, and what it made of each answer. */
import { Effect, type Scope } from "effect"
import { Agent, request } from "node:http"
import { asking, lookUp } from "#support/switch/LookUps.ts"
import { a1, domain, type LookUpSite, number, phone } from "./LookUpSite.ts"

/**
 * What the switch would do by an answer: `first` and `second`, what is right before and after the change; `closed`,
 * what is right when what is known is too old. Everything else is a sentence of what was wrong.
 */
export type Meaning = "first" | "second" | "closed" | { readonly wrong: string }

export interface LookedUp {
  readonly what: "directory" | "dialplan"
  /** When it was asked, and answered. Unit: milliseconds of `performance.now`. */
  readonly sent: number
  readonly done: number
  readonly meaning: Meaning
}

/** Look-ups a second. Source: the issue. */
const pace = 200

/**
 * How long the switch waits. Unit: milliseconds. Source: `timeout` of config/switch/xml_curl.conf.xml; afterwards it
 * asks its own files.
 */
export const switchPatience = 3_000

const bodies = {
  directory: asking(lookUp("A10-register-a1hash", "action=sip_auth"), { user: phone, domain }),
  dialplan: asking(lookUp("A31", "section=dialplan"), { "Hunt-Destination-Number": encodeURIComponent(number) })
}

const meanings: Readonly<Record<LookedUp["what"], (text: string) => Meaning>> = {
  directory: (text) => {
    const user = /<user id="([^"]*)"/.exec(text)?.[1]
    if (user === undefined) return text.includes(`<domain name="${domain}">`) ? "closed" : { wrong: text }
    const name = /effective_caller_id_name" value="([^"]*)"/.exec(text)?.[1]
    const right =
      user === phone &&
      text.includes(`name="a1-hash" value="${a1}"`) &&
      text.includes(`name="allow-empty-password" value="false"`)
    return right && name === "Ann" ? "first" : right && name === "Beth" ? "second" : { wrong: text }
  },
  dialplan: (text) => {
    if (text.includes('data="503 Service Unavailable"') && !text.includes("bridge")) return "closed"
    const called = /application="bridge" data="[^"]*user\/(\d+)@/.exec(text)?.[1]
    return called === "1001" ? "first" : called === "1002" ? "second" : { wrong: text }
  }
}

/**
 * Begins to ask; what was answered so far stands in the list, in the order of the answers. Ends with the scope, when
 * all is answered.
 */
export const ask = ({ token, unit }: LookUpSite): Effect.Effect<ReadonlyArray<LookedUp>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const url = `${unit.addresses()["sip-config"]}/switch/xml`
        const agent = new Agent({ keepAlive: true })
        const headers = {
          authorization: `Basic ${Buffer.from(`switch:${token}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded"
        }
        const answers: Array<LookedUp> = []
        const open = new Set<Promise<void>>()
        const one = (what: LookedUp["what"]): Promise<void> =>
          new Promise((resolve) => {
            const sent = performance.now()
            const end = (meaning: Meaning) => {
              answers.push({ what, sent, done: performance.now(), meaning })
              resolve()
            }
            const asked = request(url, { method: "POST", agent, headers, timeout: switchPatience }, (response) => {
              let text = ""
              response.setEncoding("latin1").on("data", (chunk: string) => (text += chunk))
              response.on("end", () =>
                end(response.statusCode === 200 ? meanings[what](text) : { wrong: `${response.statusCode} ${text}` })
              )
            })
            asked.on("timeout", () => asked.destroy(new Error(`nothing for ${switchPatience} ms`)))
            asked.on("error", (error) => end({ wrong: error.message }))
            asked.end(bodies[what])
          })
        const begun = performance.now()
        let asked = 0
        const timer = setInterval(() => {
          for (const due = ((performance.now() - begun) * pace) / 1000; asked < due; asked++) {
            const answered = one(asked % 2 === 0 ? "directory" : "dialplan")
            open.add(answered)
            void answered.then(() => open.delete(answered))
          }
        }, 5)
        const stop = async () => {
          clearInterval(timer)
          await Promise.all(open)
          agent.destroy()
        }
        return { answers, stop }
      }),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ answers }) => answers
  )
