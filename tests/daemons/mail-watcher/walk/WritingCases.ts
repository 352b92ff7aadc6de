/** Walk cases of changing, composing and sending mail. Each tenant has a mailbox at the real server. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { type Case, type Cases, type Request, thing, type Who } from "#support/walk/Case.ts"
import { until } from "#support/Frame.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { addAccount, password, type Placed } from "../Watcher.ts"
import { looking, put } from "../Mailbox.ts"

const never = { account: "nobody@never.test" }
const base = "/api/v1/mail/webmail"

/** `smtpPort`: port of a submission server whose certificate the daemon trusts (SubmissionServer). */
export const writingCases = (placed: Placed, smtpPort: number): Cases => {
  const {
    dovecot,
    suite: { sql }
  } = placed
  const made = new Map<string, number>()
  /** Values that requests name besides the account; each seed replaces them. */
  const uids = new Map<string, number>()
  const folders = new Map<string, string>()
  const uploads = new Map<string, string>()
  let count = 0

  const account = Effect.fnUntraced(function* (as: Who) {
    const address = `writing-${as.tenant}-${as.name.toLowerCase()}@example.test`
    if (!made.has(address)) {
      yield* dovecot.addUser({ address, password })
      const id = yield* addAccount(placed, { address, tenant: as.tenant, smtpPort })
      made.set(address, id)
      yield* looking(placed, address, (client) => client.mailboxCreate("Target"))
      yield* until(
        "the account is known to the watch",
        Effect.map(sql`select 1 from mail_watcher.watch where account_id = ${id}`, (found) => found.length > 0)
      )
    }
    return { account: address }
  })
  /** Creates a message in this folder. */
  const message = (folder: string) =>
    Effect.fnUntraced(function* (as: Who) {
      const named = yield* account(as)
      uids.set(
        named.account,
        yield* put(placed, named.account, folder, [`From: ${named.account}`, "To: a@far.test", `Subject: ${as.mark}`])
      )
      return named
    })
  const folder = Effect.fnUntraced(function* (as: Who) {
    const named = yield* account(as)
    const name = `Folder ${count++}`
    yield* looking(placed, named.account, (client) => client.mailboxCreate(name))
    folders.set(named.account, name)
    return named
  })
  const upload = Effect.fnUntraced(function* (as: Who) {
    const named = yield* account(as)
    const id = randomUUID()
    yield* sql`insert into mail_watcher.upload (id, tenant_id, account_id, name, content_type, size, complete)
      values (${id}, ${as.tenant}, ${made.get(named.account)!}, ${as.mark}, 'text/plain', 4, true)`
    yield* sql`insert into mail_watcher.upload_chunk (upload_id, tenant_id, position, bytes) values (${id}, ${as.tenant}, 0, ${Buffer.from(as.mark)})`
    uploads.set(named.account, id)
    return named
  })
  /** Creates everything that a mail can name, and moves all sent mail out of the current hour. */
  const ready = Effect.fnUntraced(function* (as: Who) {
    const named = yield* upload(as)
    yield* message("Drafts")(as)
    const number = made.get(named.account)!
    yield* sql`update mail_watcher.sending set created_at = created_at - interval '1 hour' where account_id = ${number}`
    const [row] = yield* sql<{
      id: number
    }>`insert into mail_watcher.sending (tenant_id, account_id, caller, body_hash, message_id, recipients, created_at)
      values (${as.tenant}, ${number}, 'user:1', '', ${`<${randomUUID()}@${as.mark}>`}, 1, now() - interval '1 hour') returning id::float8 as id`
    yield* sql`insert into mail_watcher.missing_copy (sending_id, tenant_id, account_id, raw) values (${row!.id}, ${as.tenant}, ${number}, ${Buffer.from(as.mark)})`
    return named
  })

  type Named = { readonly account: string }
  const about = (
    seed: (as: Who) => Effect.Effect<Named, unknown>,
    success: number,
    parts: {
      readonly path?: (named: Named) => Request["path"]
      readonly query?: Request["query"]
      readonly body?: (named: Named, as: Who) => object
    } = {},
    more: {
      readonly made?: (reply: Reply) => string
      readonly freeText?: ReadonlyArray<string>
      readonly wrong?: (reply: Reply) => string | undefined
    } = {}
  ): Case => {
    const { freeText = [], ...rest } = more
    return thing({
      seed,
      never,
      request: (named, as) => ({
        query: { account: named.account, ...parts.query },
        ...(parts.path === undefined ? {} : { path: parts.path(named)! }),
        ...(parts.body === undefined ? {} : { body: parts.body(named, as) })
      }),
      success,
      personal: true,
      freeText: ["query.account", ...freeText],
      ...rest
    })
  }
  const uid = ({ account }: Named) => uids.get(account) ?? 1
  const inInbox = (named: Named) => ({ folder: "INBOX", uid: uid(named) })
  const inbox = message("INBOX")
  const ofFolder = ({ account }: Named) => ({ folder: folders.get(account) ?? "Folder" })
  const file = ({ account }: Named) => uploads.get(account) ?? randomUUID()
  const sent = ({ json }: Reply) => json.message_id
  const mail = (named: Named, as: Who) => ({
    to: ["A <a@far.test>"],
    cc: ["b@far.test"],
    bcc: ["c@far.test"],
    subject: as.mark,
    html: `<p>${as.mark}</p>`,
    plain: as.mark,
    in_reply_to: "<never@far.test>",
    reply_to: "d@far.test",
    from_name: as.mark,
    attachments: [file(named)]
  })
  const drafted = (named: Named) => ({ uid: uid(named) })
  const force = { force: "false" }
  return {
    [`DELETE ${base}/messages/{folder}/{uid}`]: about(inbox, 200, { path: inInbox }),
    [`POST ${base}/messages/{folder}/{uid}/move`]: about(inbox, 200, {
      path: inInbox,
      body: () => ({ target: "Target" })
    }),
    [`POST ${base}/messages/{folder}/{uid}/flags`]: about(inbox, 200, {
      path: inInbox,
      body: () => ({ flags: ["\\Seen"], mode: "set" })
    }),
    [`POST ${base}/messages/{folder}/bulk`]: about(inbox, 200, {
      path: () => ({ folder: "INBOX" }),
      body: (named) => ({ uids: [uid(named)], action: "flags", target: "Target", flags: ["\\Seen"], mode: "add" })
    }),
    [`POST ${base}/folders`]: about(account, 201, { body: () => ({ folder: `New ${count++}` }) }),
    [`PUT ${base}/folders/{folder}`]: about(folder, 200, {
      path: ofFolder,
      query: force,
      body: () => ({ folder: `Renamed ${count++}` })
    }),
    [`DELETE ${base}/folders/{folder}`]: about(folder, 204, { path: ofFolder, query: force }),
    [`POST ${base}/folders/{folder}/empty`]: about(message("Trash"), 200, { path: () => ({ folder: "Trash" }) }),
    [`GET ${base}/attachments`]: about(upload, 200),
    [`POST ${base}/attachments`]: about(account, 201, { query: { name: "a.txt" } }, { freeText: ["query.name"] }),
    [`DELETE ${base}/attachments/{id}`]: about(upload, 204, { path: (named) => ({ id: file(named) }) }),
    [`POST ${base}/send`]: about(
      ready,
      200,
      { body: (named, as) => ({ ...mail(named, as), draft: uid(named) }) },
      { made: sent }
    ),
    [`POST ${base}/drafts`]: about(ready, 201, { body: mail }),
    [`PUT ${base}/drafts/{uid}`]: about(ready, 200, { path: drafted, body: mail }),
    [`DELETE ${base}/drafts/{uid}`]: about(ready, 204, { path: drafted }),
    [`POST ${base}/drafts/{uid}/send`]: about(ready, 200, { path: drafted }, { made: sent })
  }
}
