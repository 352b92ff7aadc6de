/** Walk cases of requests by a mail server and its clients. */
import { Effect } from "effect"
import { type Cases, type Exception, open, thing, type Who } from "#support/walk/Case.ts"
import type { TestSuite } from "#support/TestSuite.ts"
import { tell } from "../mail-login/MailSuite.ts"
import { until } from "#support/Frame.ts"

const base = "/api/v1/auth"

export const mailCases = ({ call, sql }: TestSuite, basic: string): Cases => {
  let count = 0
  const mailbox = Effect.fnUntraced(function* (as: Who) {
    const email = `${as.mark}-${count++}@mail.test`
    yield* tell(sql, {
      account_id: 1000 + count,
      address: email,
      user_id: Number(as.headers["x-account"]),
      tenant_id: as.tenant,
      is_default: false
    })
    yield* until(
      "the account is known",
      Effect.map(sql`select 1 from identity.mail_account where address = ${email}`, (rows) => rows.length > 0)
    )
    return { email }
  })
  return {
    [`POST ${base}/mail-token`]: thing({
      personal: true,
      seed: mailbox,
      never: { email: "nobody@mail.test" },
      request: ({ email }) => ({ body: { email } }),
      success: 200,
      wrong: ({ json }, { email }) => (json.email === email ? undefined : `not for ${email}`)
    }),
    [`POST ${base}/token/introspect`]: open("the mail server names itself, as RFC 7662 has it", {
      seed: Effect.fnUntraced(function* (as) {
        const { json, text } = yield* call("POST", `${base}/mail-token`, {
          headers: as.headers,
          body: yield* mailbox(as)
        })
        return {
          token:
            typeof json.access_token === "string" ? (json.access_token as string) : yield* Effect.die(new Error(text))
        }
      }),
      request: ({ token }) => ({ headers: { authorization: basic }, form: { token: String(token) } }),
      success: 200,
      wrong: ({ json }) => (json.active === true ? undefined : "not active"),
      except: introspection
    })
  }
}

const oauth = "errors of introspection are OAuth errors (RFC 6749 §5.2)"
const inactive = "no token of ours (RFC 7662 §2.2)"
const introspection: ReadonlyArray<Exception> = [
  { input: "form: text/plain", why: oauth, status: 415 },
  { input: "form: xml", why: oauth, status: 415 },
  { input: "form: empty", why: oauth, status: 400 },
  { input: "form: not UTF-8", why: oauth, status: 400 },
  { input: "form: over the limit", why: oauth, status: 413 },
  { input: "form.token: missing", why: oauth, status: 400 },
  { input: "form.token: empty", why: oauth, status: 400 },
  { input: "form.token: NUL", why: inactive, body: { active: false } },
  { input: "form.token: endless", why: oauth, status: 413 },
  { input: "form.token: twice", why: oauth, status: 400 }
]
