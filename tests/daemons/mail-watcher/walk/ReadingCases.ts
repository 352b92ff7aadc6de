/** Walk cases of folders and messages. Each tenant has a mailbox at the real server. */
import { Effect } from "effect"
import { type Case, type Cases, type Request, thing, type Who } from "#support/walk/Case.ts"
import type { Reply } from "#support/walk/Wire.ts"
import { addAccount, password, type Placed } from "../Watcher.ts"
import { mail, multipart } from "../webmail-reading/Mails.ts"

const never = { account: "nobody@never.test" }

export const readingCases = (placed: Placed): Cases => {
  const made = new Map<string, string>()
  /** A message with an attachment in a mailbox of this tenant. */
  const seed = Effect.fnUntraced(function* (as: Who) {
    const known = made.get(as.name)
    if (known !== undefined) return { account: known }
    const address = `reading-${as.tenant}@example.test`
    made.set(as.name, address)
    yield* placed.dovecot.addUser({ address, password })
    const { body, type } = multipart("mixed", [
      { type: "text/plain", body: as.mark },
      {
        type: "application/pdf",
        headers: { "Content-Disposition": `attachment; filename="${as.mark}.pdf"` },
        body: as.mark
      }
    ])
    yield* placed.dovecot.deliver(
      address,
      mail({ Subject: as.mark, "Message-ID": `<${as.mark}@far.test>`, "Content-Type": type }, body)
    )
    yield* addAccount(placed, { address, tenant: as.tenant })
    return { account: address }
  })

  const about = (
    path: Request["path"],
    wrong: (reply: Reply) => string | undefined,
    query: Request["query"] = {},
    freeText: ReadonlyArray<string> = []
  ): Case =>
    thing({
      seed,
      never,
      request: ({ account }) => ({ query: { account, ...query }, ...(path === undefined ? {} : { path }) }),
      success: 200,
      wrong,
      personal: true,
      freeText: ["query.account", ...freeText]
    })
  const inFolder = { folder: "INBOX" }
  const message = { ...inFolder, uid: 1 }
  const one = ({ json }: Reply) => (json.items.length === 1 ? undefined : `${json.items.length} and not one`)
  const fine = () => undefined
  const base = "/api/v1/mail/webmail"
  return {
    [`GET ${base}/folders`]: about(undefined, one),
    [`GET ${base}/messages/{folder}`]: about(inFolder, one, {
      page: 1,
      per_page: 10,
      sort: "date",
      order: "desc",
      unseen: "true",
      flagged: "false"
    }),
    [`GET ${base}/messages/{folder}/{uid}`]: about(message, fine, { images: "block", mark_seen: "false" }),
    [`GET ${base}/messages/{folder}/{uid}/raw`]: about(message, fine),
    [`GET ${base}/messages/{folder}/{uid}/attachments/{part}`]: about({ ...message, part: "2" }, fine, {
      inline: "false"
    }),
    [`GET ${base}/search`]: about(
      undefined,
      one,
      {
        folder: "INBOX",
        q: "mark",
        from: "eve",
        subject: "mark",
        since: "2001-01-01",
        before: "2999-01-01",
        page: 1,
        per_page: 10
      },
      ["query.q", "query.from", "query.subject", "query.folder"]
    ),
    [`GET ${base}/threads/{folder}`]: about(inFolder, one, { page: 1, per_page: 10 })
  }
}
