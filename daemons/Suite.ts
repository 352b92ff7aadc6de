/** All daemons, in the order of the list, for what shows or checks all of them. */
import type { Daemon } from "#core/daemon/Daemon.ts"
import { loaders } from "./Daemons.ts"

export const daemons: ReadonlyArray<Daemon> = await Promise.all(Object.values(loaders).map((load) => load()))
