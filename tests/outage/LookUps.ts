/** A simulated switch that sends look-ups at a steady pace over kept-alive connections and interprets each answer. */
import { Effect, type Scope } from "effect"
import { Agent, request } from "node:http"
import { asking, lookUp } from "#support/switch/LookUps.ts"
import { a1, domain, type LookUpSite, number, phone } from "./LookUpSite.ts"

/**
 * Effect of an answer at the switch. `first` and `second`: correct before and after the change. `closed`: the correct
 * refusal when the known data is too old. `wrong`: describes any other answer.
 */
export type Meaning = "first" | "second" | "closed" | { readonly wrong: string }

export interface LookedUp {
  readonly what: "directory" | "dialplan"
  /** Times of the request and of the answer. Unit: milliseconds of `performance.now`. */
  readonly sent: number
  readonly done: number
  readonly meaning: Meaning
}

/** Look-ups per second. Source: the issue. */
const pace = 200

/**
 * Timeout of the switch, after which it uses its own files. Unit: milliseconds. Source: `timeout` in
 * config/switch/xml_curl.conf.xml.
 */
export const switchPatience = 3_000

const bodies = {
  directory: asking(lookUp("A10-register-a1hash", "action=sip_auth"), { user: phone, domain }),
  dialplan: asking(lookUp("A31", "section=dialplan"), {
    "Hunt-Destination-Number": encodeURIComponent(number),
    "Hunt-Network-Addr": "192.0.2.9"
  })
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
 * Starts sending look-ups. The list contains all answers so far, in order of arrival. The end of the scope stops
 * sending and waits for pending answers.
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
