/** Names of users for lists. Empty without the permission to see users. */
import { call } from "../../lib/Call.ts"
import type { Answer } from "../../lib/Endpoints.ts"
import { type Loaded, useLoad } from "../../lib/Load.ts"
import { may } from "../../lib/Me.ts"

export type Person = Answer<"GET /api/v1/users">["items"][number]

/** Users by id: the newest 200 of the own tenant. */
export const usePeople = (): Loaded<ReadonlyMap<number, Person>> =>
  useLoad(
    async () =>
      may("users.read")
        ? new Map((await call("GET /api/v1/users", { query: { limit: 200 } })).items.map((user) => [user.id, user]))
        : new Map<number, Person>(),
    [may("users.read")],
    { live: ["identity.user.*"] }
  )

/** Active users whose name or address contains `text`. */
export const findPeople = async (text: string): Promise<ReadonlyArray<Person>> =>
  (await call("GET /api/v1/users", { query: { limit: 20, state: "active", q: text === "" ? undefined : text } })).items
