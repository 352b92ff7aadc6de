import { Effect } from "effect"
import type { ImapFlow, ListResponse } from "imapflow"
import * as Handlers from "#core/http/Handlers.ts"
import * as Audit from "#core/log/Audit.ts"
import { inScope } from "#core/auth/Caller.ts"
import { client as requestClient } from "#core/http/Client.ts"
import { NotFound, orUnavailable } from "#core/http/Problem.ts"
import { type Account, MailRefused, MailSessions, accountOf } from "../../accounts/Exports.ts"
import { FolderProtected, FolderTaken } from "../Errors.ts"
import { inFolder } from "../Messages.ts"
import { named, sameFolder } from "./Folders.ts"
import { WebmailChangesApi } from "../Api.ts"

export const folderChanges = Handlers.group(
  WebmailChangesApi,
  "webmailFolderChanges",
  Effect.fn(function* (handlers) {
    const sessions = yield* MailSessions

    /**
     * Runs `work` and writes the audit log. `work` returns the errors of this endpoint, because a session cannot fail
     * with them.
     */
    const changing = <A>(account: Account, action: string, folder: string, work: (client: ImapFlow) => Promise<A>) =>
      Effect.gen(function* () {
        const result = yield* sessions.use(account, work)
        if (isRefusal(result)) return yield* Effect.fail(result)
        const { address } = yield* requestClient
        const entry = {
          tenantId: account.tenant_id,
          action: `mail_folder.${action}`,
          entity: "webmail_account",
          id: String(account.id),
          address,
          detail: { folder }
        }
        yield* orUnavailable(inScope(Audit.writeFor(entry)))
        return result as Exclude<A, Refusal>
      })
    const account = (query: { readonly account?: string }) => orUnavailable(accountOf(query.account))

    /** The folder, or the reason why it is protected. */
    const changeable = async (
      client: ImapFlow,
      name: string,
      force: boolean
    ): Promise<ListResponse | FolderProtected> => {
      const found = await there(client, name)
      if (sameFolder(found.path, "INBOX")) return new FolderProtected({ detail: "INBOX cannot be renamed or deleted." })
      return found.specialUse !== undefined && !force
        ? new FolderProtected({
            detail: `This folder is used as ${found.specialUse.slice(1)}; send force=true to change it anyway.`
          })
        : found
    }

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload, query }) {
        const made = yield* changing(yield* account(query), "created", payload.folder, async (client) => {
          const { created, path } = await client.mailboxCreate(payload.folder)
          return created === false ? taken : path
        })
        return { folder: made }
      }),
      rename: Effect.fnUntraced(function* ({ params, payload, query }) {
        const renamed = yield* changing(yield* account(query), "renamed", params.folder, async (client) => {
          const found = await changeable(client, params.folder, query.force === "true")
          if (found instanceof FolderProtected) return found
          if ((await named(client, payload.folder)) !== undefined) return taken
          return (await client.mailboxRename(found.path, payload.folder)).newPath
        })
        return { folder: renamed }
      }),
      remove: Effect.fnUntraced(function* ({ params, query }) {
        yield* changing(yield* account(query), "deleted", params.folder, async (client) => {
          const found = await changeable(client, params.folder, query.force === "true")
          if (found instanceof FolderProtected) return found
          await client.mailboxDelete(found.path)
          return true as const
        })
      }),
      empty: Effect.fnUntraced(function* ({ params, query }) {
        const deleted = yield* changing(yield* account(query), "emptied", params.folder, async (client) => {
          const found = await there(client, params.folder)
          if (found.specialUse !== "\\Trash" && found.specialUse !== "\\Junk")
            return new FolderProtected({ detail: "Only trash and junk can be emptied." })
          return inFolder(client, found.path, () => emptied(client))
        })
        return { deleted }
      })
    })
  })
)

/** Errors that MailSessions does not declare. */
type Refusal = FolderTaken | FolderProtected
const isRefusal = <A>(result: A): result is Extract<A, Refusal> =>
  result instanceof FolderTaken || result instanceof FolderProtected

const taken = new FolderTaken({ detail: "Choose another name." })

const there = async (client: ImapFlow, name: string): Promise<ListResponse> => {
  const found = await named(client, name)
  if (found === undefined) throw new NotFound({ detail: "The folder does not exist." })
  return found
}

/** Deletes the messages that the selected folder contains now. Messages that arrive meanwhile stay. */
const emptied = async (client: ImapFlow): Promise<number> => {
  const box = client.mailbox
  if (box === false || box.exists === 0) return 0
  const { exists } = box
  if (!(await client.messageDelete(`1:${exists}`)))
    throw new MailRefused({ detail: "The mail server refused to delete in this folder." })
  return exists
}
