/** Walk cases of signatures, contacts, people and compose links. */
import { Effect } from "effect"
import type { Cases, Exception, Request, Who } from "#support/walk/Case.ts"
import { thing } from "#support/walk/Case.ts"
import type { Placed } from "../Watcher.ts"

const never = { account: "nobody@never.test", id: 2_000_000_000 }
const link = "https://a.example/"

/** Inputs that a compose link ignores because it removes control characters. */
const cleaned = (...names: ReadonlyArray<string>): ReadonlyArray<Exception> =>
  names.map((name) => ({ input: `query.${name}: NUL`, why: "control characters are cleaned away" }))

export const peopleCases = ({ suite: { sql } }: Pick<Placed, "suite">): Cases => {
  let count = 0
  // Ids that appear nowhere else in an answer, because the walk masks them before it compares.
  const numbers = Effect.runSync(
    Effect.cached(
      Effect.forEach(
        ["signature", "contact"],
        (table) => sql`select setval(pg_get_serial_sequence(${`mail_watcher.${table}`}, 'id'), 800000)`
      )
    )
  )
  const account = Effect.fnUntraced(function* (as: Who) {
    yield* numbers
    const address = `walk-${count++}@people.test`
    const [row] = yield* sql<{ id: number }>`insert into mail_watcher.account (tenant_id, user_id, address, kind)
      values (${as.tenant}, ${as.tenant * 10}, ${address}, 'own') returning id`
    return { account: address, number: row!.id }
  })
  const alone = (as: Who) => Effect.map(account(as), (made) => ({ account: made.account }))
  const signature = Effect.fnUntraced(function* (as: Who) {
    const made = yield* account(as)
    const [row] = yield* sql<{
      id: number
    }>`insert into mail_watcher.signature (tenant_id, account_id, name, html, is_default)
      values (${as.tenant}, ${made.number}, ${as.mark}, ${as.mark}, true) returning id`
    yield* sql`insert into mail_watcher.signature_rule (tenant_id, account_id, signature_id, match_type, match_value, position)
      values (${as.tenant}, ${made.number}, ${row!.id}, 'domain', 'far.test', 0)`
    return { account: made.account, id: row!.id }
  })
  const contact = Effect.fnUntraced(function* (as: Who) {
    const made = yield* account(as)
    const [row] = yield* sql<{ id: number }>`insert into mail_watcher.contact
        (tenant_id, account_id, name, company, emails, phones, websites, note, folded)
      values (${as.tenant}, ${made.number}, ${as.mark}, '', '["a@far.test"]', '[]', '[]', ${as.mark}, 'ann') returning id`
    yield* sql`insert into mail_watcher.contact_email (tenant_id, account_id, contact_id, address, name, folded)
      values (${as.tenant}, ${made.number}, ${row!.id}, 'a@far.test', ${as.mark}, 'ann a@far.test')`
    yield* sql`insert into mail_watcher.contact_word (tenant_id, account_id, contact_id, word) values (${as.tenant}, ${made.number}, ${row!.id}, 'ann')`
    yield* sql`insert into mail_watcher.recent_recipient (tenant_id, account_id, address, name, folded)
      values (${as.tenant}, ${made.number}, 'b@far.test', ${as.mark}, 'ann b@far.test')`
    return { account: made.account, id: row!.id }
  })

  const named = (ids: { readonly account: string }, more: Request["query"] = {}) => ({
    query: { account: ids.account, ...more }
  })
  const isThat = ({ json }: { readonly json: any }, { id }: { readonly id: number }) =>
    json.id === id ? undefined : `not ${id}`
  const made = ({ json }: { readonly json: any }) => json.id
  type Seed = (as: Who) => Effect.Effect<{ readonly account: string; readonly id: number }, unknown>
  /** Operations on one object, by its id. */
  const about = (seed: Seed, success: number, body?: (as: Who) => object) =>
    thing({
      seed,
      never,
      request: (ids, as) => ({
        path: { id: ids.id },
        ...named(ids),
        ...(body === undefined ? {} : { body: body(as) })
      }),
      success,
      freeText: ["query.account"],
      ...(success === 200 ? { wrong: isThat } : {})
    })
  const creates = (body: (as: Who) => object) =>
    thing({
      seed: alone,
      never: { account: never.account },
      request: (ids, as) => ({ ...named(ids), body: body(as) }),
      success: 201,
      made,
      freeText: ["query.account"]
    })
  /** Operations that name an account and use `request`. */
  const asks = (
    seed: Seed,
    request: Request,
    wrong?: (reply: { readonly json: any; readonly text: string }, as: Who) => string | undefined,
    freeText: ReadonlyArray<string> = []
  ) =>
    thing({
      seed: (as) => Effect.map(seed(as), ({ account }) => ({ account })),
      never: { account: never.account },
      success: 200,
      freeText: ["query.account", ...freeText],
      request: ({ account }) => ({ ...request, query: { ...request.query, account } }),
      ...(wrong === undefined ? {} : { wrong: (reply, _: unknown, as: Who) => wrong(reply, as) })
    })
  const marked = ({ text }: { readonly text: string }, as: Who) =>
    text.includes(as.mark) ? undefined : "lacks its own"

  /** Lists of one account: B lists its own account, which contains nothing of A. */
  const all = (seed: Seed, more: Request["query"] = {}) =>
    asks(
      seed,
      { query: { limit: 200, before: never.id, ...more } },
      ({ json }, as) => (json.items.length === 1 && json.items[0].name === as.mark ? undefined : "not its one"),
      ["query.q"]
    )

  const signed = (as: Who) => ({
    name: as.mark,
    html: as.mark,
    is_default: true,
    rules: [{ match_type: "domain", match_value: "near.test" }]
  })
  const known = (as: Who) => ({
    name: as.mark,
    company: as.mark,
    emails: ["c@far.test"],
    phones: ["+49 170"],
    websites: [link],
    messenger: "anne_m",
    chat_app: "+49170",
    note: as.mark
  })
  const base = "/api/v1/mail"
  return {
    [`GET ${base}/signatures`]: all(signature),
    [`POST ${base}/signatures`]: creates(signed),
    [`GET ${base}/signatures/match`]: asks(signature, { query: { to: "x@far.test" } }, marked),
    [`GET ${base}/signatures/{id}`]: about(signature, 200),
    [`PUT ${base}/signatures/{id}`]: about(signature, 200, signed),
    [`DELETE ${base}/signatures/{id}`]: about(signature, 204),
    [`GET ${base}/contacts`]: all(contact, { q: "ann" }),
    [`POST ${base}/contacts`]: creates(known),
    [`GET ${base}/contacts/export.vcf`]: asks(contact, {}, marked),
    [`POST ${base}/contacts/import`]: asks(
      contact,
      { headers: { "content-type": "text/vcard" }, body: "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:New\r\nEND:VCARD\r\n" },
      ({ json }) => (json.imported === 1 ? undefined : "not made")
    ),
    [`GET ${base}/contacts/{id}`]: about(contact, 200),
    [`PUT ${base}/contacts/{id}`]: about(contact, 200, known),
    [`DELETE ${base}/contacts/{id}`]: about(contact, 204),
    [`GET ${base}/webmail/contacts/search`]: asks(
      contact,
      { query: { q: "ann", limit: 5 } },
      (reply, as) => (reply.json.items.length === 2 ? marked(reply, as) : "not the contact and the recipient"),
      ["query.q"]
    ),
    [`GET ${base}/webmail/compose`]: {
      ...asks(
        signature,
        { query: { to: "x@far.test", cc: "y@far.test", subject: "s", body: "b", mailto: "mailto:z@far.test" } },
        marked,
        ["query.to", "query.cc", "query.subject", "query.body"]
      ),
      except: cleaned("to", "cc", "subject", "body")
    }
  }
}
