/**
 * Deletes the folders of mailboxes that were deleted some time ago. A separate command, because Dovecot's user owns the
 * mail and the daemons have no access to it.
 */
import { lstatSync, rmSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Default of the time between the deletion of a mailbox and of its mail. Unit: days. */
export const defaultGrace = 30

export interface Home {
  readonly mailbox_id: number
  readonly tenant_id: number
  readonly address: string
  /** Relative to Dovecot's mail folder. */
  readonly home: string
}

/** Folders of mailboxes that were deleted at least `days` days ago. */
export const due = Effect.fnUntraced(function* (days: number) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Home>`select h.mailbox_id, h.tenant_id, h.address, h.home from mail_admin.deleted_home h
    where h.deleted_at <= now() - make_interval(days => ${days})
      and not exists (select 1 from mail_server.mailbox m where m.home = h.home)
    order by h.mailbox_id`
})

/** Removes the row of a folder that was deleted. */
export const forget = Effect.fnUntraced(function* ({ mailbox_id: id }: Home) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from mail_admin.deleted_home where mailbox_id = ${id}`
})

/** Absolute path of the folder; undefined for a name that is not of the form `mailbox/17` or `example.org/anna`. */
export const pathOf = (root: string, home: string): string | undefined => {
  const names = home.split("/")
  const isPlain = (name: string) => /^[a-z0-9_][a-z0-9._-]*$/.test(name) && !name.includes("..")
  return isAbsolute(root) && names.length === 2 && names.every(isPlain) ? join(root, home) : undefined
}

/** Deletes the folder with everything in it. Returns whether it existed. Refuses a symbolic link. */
export const remove = (path: string): boolean => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) throw new Error(`${path} is not a directory`)
  rmSync(path, { recursive: true })
  return true
}
