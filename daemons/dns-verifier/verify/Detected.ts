/**
 * Who runs a new domain's DNS, asked once before it is made; what does not answer by then, the sweep finds out later.
 */
import { Effect } from "effect"
import type { Observer } from "../observe/Observer.ts"
import { detect } from "../providers/Detection.ts"
import { look } from "./Live.ts"

/** Never fails. Call outside transactions. */
export const detected = (observer: Observer["Service"], name: string) =>
  Effect.map(look(observer, name, [], "quick"), ({ delegation: { servers, zone } }) => ({
    provider: detect(servers.map((server) => server.name)).provider,
    zone
  }))
