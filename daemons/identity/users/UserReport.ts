/** Text output of `signalbox user …`. Pure. */
import { columns } from "#core/cli/Output.ts"
import type { OwnSession } from "../sessions/Exports.ts"
import type { Account } from "./Accounts.ts"
import { minute } from "#core/cli/Moment.ts"

/** Formats users as columns. */
export const userLines = (users: ReadonlyArray<Account>): ReadonlyArray<string> =>
  users.length === 0
    ? ["No matching users. Create one: signalbox user create --email ADDRESS"]
    : columns([
        ["ID", "TENANT", "E-MAIL", "NAME", "ROLE", "STATE", "LAST SIGN-IN"],
        ...users.map(({ email, id, last_login_at, name, role, state, tenant_id }) => [
          String(id),
          String(tenant_id),
          email,
          name,
          role,
          state,
          last_login_at === null ? "never" : minute(last_login_at)
        ])
      ])

/** One user, with the fields that the list has no room for. */
export const userFacts = (user: Account): ReadonlyArray<string> => {
  const times = user.time_zone === null ? "times as the user's device has them" : `times in ${user.time_zone}`
  return [...userLines([user]), "", `Language ${user.locale}, ${times}`]
}

/** Formats sessions as columns. */
export const sessionLines = (sessions: ReadonlyArray<OwnSession>): ReadonlyArray<string> =>
  sessions.length === 0
    ? ["No active sessions."]
    : columns([
        ["SINCE", "LAST USED", "FROM", "BY", "PROGRAM"],
        ...sessions.map(({ address, created_at, last_used_at, methods, user_agent }) => [
          minute(created_at),
          minute(last_used_at),
          address ?? "-",
          methods.join(" "),
          printable(user_agent ?? "-")
        ])
      ])

/** Replaces control characters in a user agent, which clients choose freely and terminals would interpret. */
const printable = (text: string): string => text.replace(/\p{C}/gu, "?")
