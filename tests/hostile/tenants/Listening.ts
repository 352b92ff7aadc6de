/** Event sockets of both parties, and what they hear. */
import { Effect } from "effect"
import { eventAudiences } from "#core/contracts/EventAccess.ts"
import { EventClient } from "#support/EventClient.ts"
import { untilWithin } from "#support/Within.ts"
import { leaks } from "./Attack.ts"
import type { Values } from "./Rows.ts"
import type { Party, SiteShape } from "./Site.ts"

/** A socket with a subscription of everything. `after`: id of an event after which the socket resumes. */
export const listening = ({ suite }: SiteShape, party: Party, after?: string) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      EventClient.listening(
        suite.base(),
        { token: party.people.admin.headers.authorization.replace("Bearer ", "") },
        ["*"],
        after
      )
    ),
    (client) => Effect.sync(() => client.end())
  )

/** Waits until the socket hears an event that its party causes now. Earlier events have then arrived too. */
export const caughtUp = Effect.fnUntraced(function* (party: Party, client: EventClient) {
  const name = party.secret()
  yield* party.call("admin", "POST", "/api/v1/crm/customers", { body: { number: name, name, locale: "de" } })
  yield* Effect.promise(() => client.until(() => client.events.some(({ data }) => data?.name === name), 30_000))
})

/** Something of the other party in the frames of a socket. */
export const overheard = ({ controls, events }: EventClient, other: Values): ReadonlyArray<string> =>
  [...controls, ...events].flatMap((frame) => {
    const found = leaks("", { headers: new Headers(), text: JSON.stringify(frame) }, other)
    return found.length === 0 ? [] : [`${frame.type} holds ${found.join(", ")}`]
  })

/** Emits an event of every type to the tenant, and to one of its users. Returns the types. */
export const everyType = Effect.fnUntraced(function* (
  { suite: { sql } }: SiteShape,
  { people, secret, tenant }: Party
) {
  const types = Object.keys(eventAudiences)
  for (const type of types)
    for (const user of [null, people.admin.id])
      yield* sql`insert into core.event (type, source, tenant_id, user_id, data)
        values (${type}, 'test', ${tenant}, ${user}, ${sql.json({ tenant_id: tenant, text: secret() })})`
  yield* sql`select pg_notify('signalbox', 'event')`
  return types
})

/** Waits until the socket has heard each type. */
export const heardAll = (client: EventClient, types: ReadonlyArray<string>) =>
  untilWithin(
    30,
    "each type of event is heard by its own tenant",
    Effect.sync(() => {
      const heard = new Set(client.events.map(({ type }) => type))
      return types.every((type) => heard.has(type))
    })
  )
