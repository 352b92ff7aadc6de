import { Effect, Layer } from "effect"
import * as Feature from "#core/daemon/Feature.ts"
import { Supervisor } from "#core/supervision/Supervisor.ts"
import { people as tables } from "./migrations/0021_people.ts"
import { timeZones } from "./migrations/0052_time_zones.ts"
import { feeds } from "./Feeds.ts"

/** Users, mailboxes and extensions of other daemons, as far as setting up devices needs them. */
export const people = Feature.make({
  migrations: [tables, timeZones],
  layer: Layer.effectDiscard(Effect.flatMap(feeds, (actors) => Supervisor.actors(actors)))
})
