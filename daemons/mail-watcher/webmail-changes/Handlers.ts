import { Effect } from "effect"
import type { ImapFlow } from "imapflow"
import * as Handlers from "#core/http/Handlers.ts"
import { InvalidRequest, NotFound, orUnavailable } from "#core/http/Problem.ts"
import { MailSessions, accountOf } from "../accounts/Exports.ts"
import { TargetUnknown } from "./Errors.ts"
import * as Messages from "./Messages.ts"
import { named } from "./folders/Folders.ts"
import { WebmailChangesApi } from "./Api.ts"

export const changes = Handlers.group(
  WebmailChangesApi,
  "webmailChanges",
  Effect.fn(function* (handlers) {
    const sessions = yield* MailSessions

    /**
     * Runs `work` on the account's session with the folder selected. `there` holds those uids that the folder contains.
     */
    const changing = <A>(
      named: string | undefined,
      folder: string,
      uids: ReadonlyArray<number>,
      work: (client: ImapFlow, there: ReadonlyArray<number>) => Promise<A>
    ) =>
      Effect.gen(function* () {
        const account = yield* orUnavailable(accountOf(named))
        return yield* sessions.use(account, (client) =>
          Messages.inFolder(client, folder, async () => work(client, await Messages.present(client, uids)))
        )
      })

    const one =
      <A>(work: (client: ImapFlow, uids: ReadonlyArray<number>) => Promise<A>) =>
      (client: ImapFlow, there: ReadonlyArray<number>) => {
        if (there.length === 0) throw new NotFound({ detail: "The folder has no such message." })
        return work(client, there)
      }

    /** Moves the messages to the folder `target`, or returns TargetUnknown. */
    const moving = async (client: ImapFlow, uids: ReadonlyArray<number>, target: string) => {
      const found = await named(client, target)
      return found === undefined
        ? unknown
        : uids.length === 0
          ? { folder: found.path, uids: new Map<number, number>() }
          : Messages.move(client, uids, found.path)
    }
    const unknown = new TargetUnknown({ detail: "The target folder does not exist." })

    return handlers.handleAll({
      remove: Effect.fnUntraced(function* ({ params: { folder, uid }, query }) {
        const moved = yield* changing(
          query.account,
          folder,
          [uid],
          one((client, uids) => Messages.toTrash(client, folder, uids))
        )
        return moved === undefined
          ? { outcome: "deleted" as const, folder: null, uid: null }
          : { outcome: "moved" as const, folder: moved.folder, uid: moved.uids.get(uid) ?? null }
      }),
      move: Effect.fnUntraced(function* ({ params: { folder, uid }, payload, query }) {
        const moved = yield* changing(
          query.account,
          folder,
          [uid],
          one((client, uids) => moving(client, uids, payload.target))
        )
        if (moved instanceof TargetUnknown) return yield* moved
        return { folder: moved.folder, uid: moved.uids.get(uid) ?? null }
      }),
      flags: Effect.fnUntraced(function* ({ params: { folder, uid }, payload, query }) {
        const flags = yield* changing(
          query.account,
          folder,
          [uid],
          one((client, uids) => Messages.setFlags(client, uids, payload.mode ?? "set", payload.flags))
        )
        return { uid, flags: flags.get(uid) ?? [] }
      }),
      bulk: Effect.fnUntraced(function* ({ params: { folder }, payload, query }) {
        const { action, mode = "set", target } = payload
        const uids = [...new Set(payload.uids)]
        if (action === "move" && target === undefined) return yield* missing("target")
        if (action === "flags" && payload.flags === undefined) return yield* missing("flags")
        let there: ReadonlyArray<number> = []
        const all = <A>(work: (client: ImapFlow, found: ReadonlyArray<number>) => Promise<A>) =>
          changing(query.account, folder, uids, (client, found) => {
            there = found
            return work(client, found)
          })
        const answer = (
          outcome: "moved" | "deleted" | "flagged",
          moved: Messages.Moved | undefined,
          flags?: ReadonlyMap<number, ReadonlyArray<string>>
        ) => {
          const known = new Set(there)
          return {
            outcome,
            folder: moved?.folder ?? null,
            messages: there.map((uid) => ({
              uid,
              new_uid: moved?.uids.get(uid) ?? null,
              flags: flags === undefined ? null : (flags.get(uid) ?? [])
            })),
            missing: uids.filter((uid) => !known.has(uid))
          }
        }
        if (action === "flags") {
          const flags = yield* all(async (client, found) =>
            found.length === 0 ? new Map() : Messages.setFlags(client, found, mode, payload.flags!)
          )
          return answer("flagged", undefined, flags)
        }
        if (action === "move") {
          const moved = yield* all((client, found) => moving(client, found, target!))
          return moved instanceof TargetUnknown ? yield* moved : answer("moved", moved)
        }
        const moved = yield* all(async (client, found) =>
          found.length === 0 ? undefined : Messages.toTrash(client, folder, found)
        )
        return answer(moved === undefined ? "deleted" : "moved", moved)
      })
    })
  })
)

const missing = (field: string) =>
  new InvalidRequest({ errors: [{ field: `payload.${field}`, message: "Required for this action" }] })
