/** Load of a chaos run: alarms that are raised until they are accepted, mails, and requests to other daemons. */
import { Effect } from "effect"
import * as AlarmSender from "#support/AlarmSender.ts"
import { asking, lookUp } from "#support/switch/LookUps.ts"
import { mail } from "../daemons/mail-watcher/mailbox-watch/Watched.ts"
import type { ChaosAlarm } from "./Alarms.ts"
import { mailbox, phone, sender, type Site, user } from "./Site.ts"

/** One try at the listener. `code` as of `sendMail`. Times in milliseconds; `at` is epoch time. */
export interface Try {
  readonly at: number
  readonly took: number
  readonly code: number
}

/** Longest wait for one answer, and pause before the next try. Unit: milliseconds. */
const patience = 30_000
const again = 1_000

/** Raises the alarms at their times, each until it is accepted. `tries` collects the answers of the SMTP listener. */
export const raise = (site: Site, alarms: ReadonlyArray<ChaosAlarm>, begun: number, tries: Array<Try>) =>
  Effect.forEach(
    alarms,
    (alarm) =>
      Effect.gen(function* () {
        yield* Effect.sleep(Math.max(0, begun + alarm.due - Date.now()))
        for (;;) {
          const at = Date.now()
          const code = yield* alarm.door === "smtp" ? bySmtp(site, alarm) : byHttp(site, alarm)
          if (alarm.door === "smtp") tries.push({ at, took: Date.now() - at, code })
          if (code === 250 || code === 202) return
          if (code >= 500 && alarm.door === "smtp")
            return yield* Effect.die(new Error(`alarm ${alarm.id} was refused for good: ${code}`))
          yield* Effect.sleep(again)
        }
      }),
    { concurrency: "unbounded", discard: true }
  )

const bySmtp = ({ smtpPort }: Site, { body, id, subject }: ChaosAlarm) =>
  AlarmSender.sendMail({
    port: smtpPort,
    sender,
    subject,
    body,
    messageId: `${id}@chaos.example`,
    replyTimeout: patience
  })

const byHttp = ({ baseOf, token }: Site, { body, id, subject }: ChaosAlarm) =>
  AlarmSender.trigger({
    base: baseOf("comm-dispatcher"),
    token,
    key: `chaos ${id}`,
    sender,
    subject,
    body,
    timeout: patience
  })

/** Delivers mails to the watched mailbox, evenly over `duration` milliseconds. */
export const deliverMails = (site: Site, count: number, duration: number, begun: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) =>
      Effect.andThen(
        Effect.sleep(Math.max(0, begun + (index * duration) / count - Date.now())),
        Effect.orDie(site.dovecot.deliver(mailbox.address, mail(subjectOf(index))))
      ),
    { discard: true }
  )

export const subjectOf = (index: number): string => `chaos mail ${index}`

export type Use = "sign-in" | "look-up" | "status" | "webmail" | "edge" | "mail-admin" | "dns"

export interface Used {
  readonly use: Use
  readonly at: number
  readonly took: number
  /** `away`: no answer, or a temporary refusal. */
  readonly result: "right" | "away" | { readonly wrong: string }
}

/** Pause between two requests of the same kind. Unit: milliseconds. */
const pauses: Readonly<Record<Use, number>> = {
  "sign-in": 2_000,
  "look-up": 300,
  status: 700,
  webmail: 1_000,
  edge: 1_500,
  "mail-admin": 2_000,
  dns: 2_000
}

/** Longest wait of these requests. Unit: milliseconds. */
const usePatience = 10_000

interface Request {
  readonly daemon: string
  readonly path: string
  readonly init?: RequestInit
  readonly right: (status: number, text: string) => boolean
}

const directory = asking(lookUp("A10-register-a1hash", "action=sip_auth"), {
  user: phone.extension,
  domain: phone.domain
})

const requests = ({ switchToken, token }: Site): Readonly<Record<Use, Request>> => {
  const platform = { headers: { "x-service-token": token } }
  const ok = (status: number) => status === 200
  return {
    "sign-in": {
      daemon: "identity",
      path: "/api/v1/auth/login",
      init: { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(user) },
      right: (status, text) => status === 200 && text.includes("access_token")
    },
    "look-up": {
      daemon: "sip-config",
      path: "/switch/xml",
      init: {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`switch:${switchToken}`).toString("base64")}`,
          "content-type": "application/x-www-form-urlencoded"
        },
        body: directory
      },
      right: (status, text) => status === 200 && text.includes(`<user id="${phone.extension}"`)
    },
    status: { daemon: "status-checker", path: "/api/v1/status", right: ok },
    webmail: {
      daemon: "mail-watcher",
      path: `/api/v1/mail/webmail/messages/INBOX?account=${mailbox.address}`,
      init: platform,
      right: ok
    },
    edge: { daemon: "edge-auth", path: "/health", right: ok },
    "mail-admin": { daemon: "mail-admin", path: "/api/v1/mail/domains", init: platform, right: ok },
    dns: { daemon: "dns-verifier", path: "/api/v1/domains", init: platform, right: ok }
  }
}

/** Statuses of a temporary refusal. */
const temporary: ReadonlySet<number> = new Set([502, 503, 504])

/** Sends one request. */
export const use = (site: Site, kind: Use): Effect.Effect<Used> =>
  Effect.promise(async () => {
    const { daemon, init, path, right } = requests(site)[kind]
    const base = site.baseOf(daemon)
    const at = Date.now()
    const used = (result: Used["result"]): Used => ({ use: kind, at, took: Date.now() - at, result })
    if (base === undefined) return used("away")
    try {
      const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(usePatience) })
      const text = await response.text()
      if (right(response.status, text)) return used("right")
      return used(temporary.has(response.status) ? "away" : { wrong: `${response.status} ${text.slice(0, 300)}` })
    } catch {
      return used("away")
    }
  })

export const uses = Object.keys(pauses) as ReadonlyArray<Use>

/** Sends requests of all kinds until interrupted. */
export const useAll = (site: Site, into: Array<Used>) =>
  Effect.forEach(
    uses,
    (kind) =>
      Effect.forever(
        Effect.andThen(
          Effect.map(use(site, kind), (used) => void into.push(used)),
          Effect.sleep(pauses[kind])
        )
      ),
    { concurrency: "unbounded", discard: true }
  )
