/** Walk cases of bans, of the mail server's reports, and of mail clients' requests. */
import { Effect } from "effect"
import { type Cases, list, open, thing, type Who } from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"

const base = "/api/v1/mail"
const never = { id: 2_000_000_000 }

/** `token`: service token of the mail server. */
export const banCases = ({ sql }: TestSuite, token: string): Cases => {
  let count = 0
  const ban = (as: Who) =>
    Effect.map(
      sql<{ id: number }>`insert into mail_admin.ban (tenant_id, address, rule, banned_at, until)
        values (${as.tenant}, ${`198.51.100.${count++}`}, ${as.mark}, now(), now() + interval '1 day') returning id`,
      ([row]) => ({ id: row!.id })
    )
  return {
    [`GET ${base}/bans`]: list({
      seed: ban,
      never,
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map((item: { readonly id: number }) => item.id),
      by: "id",
      naming: ({ id }) => [{ before: id }]
    }),
    [`DELETE ${base}/bans/{id}`]: thing({ seed: ban, never, request: ({ id }) => ({ path: { id } }), success: 204 }),
    [`POST ${base}/auth-policy`]: open("the mail server names itself by a service token of its own", {
      request: () => ({
        headers: { "x-service-token": token },
        query: { command: "report" },
        body: {
          login: "a@far.test",
          remote: "192.0.2.1",
          mech: "PLAIN",
          success: false,
          policy_reject: false,
          fail_type: "credentials"
        }
      }),
      success: 200
    })
  }
}

/** `domain`: creates a domain and returns its id. */
export const autoconfigCases = ({ sql }: TestSuite, domain: (as: Who) => Effect.Effect<number, unknown>): Cases => {
  const asked = open("mail programs ask without credentials, and what they hear stands in DNS", {
    seed: (as) =>
      Effect.flatMap(domain(as), (id) =>
        Effect.map(sql<{ domain: string }>`select domain from mail_admin.domain where id = ${id}`, ([row]) => ({
          name: row!.domain
        }))
      ),
    request: ({ name }) => ({ headers: { host: `autoconfig.${name}` }, query: { emailaddress: "ann@a.test" } }),
    success: 200,
    wrong: ({ text }, { name }) => (text.includes(`<domain>${name}</domain>`) ? undefined : "not its own domain")
  })
  return { "GET /mail/config-v1.1.xml": asked, "GET /.well-known/autoconfig/mail/config-v1.1.xml": asked }
}
