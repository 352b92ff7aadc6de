/** Who runs a new domain's DNS, asked once before it is made. */
import { Duration, Effect } from "effect"
import type { Observer } from "../observe/Observer.ts"
import { detect } from "../providers/Detection.ts"

/** How long somebody who adds a domain waits for it. Reason: what does not answer by then, the sweep finds out later. */
const patience = Duration.seconds(5)

/** Asks the domain's delegation; never fails. Call outside transactions. */
export const detected = ({ observe }: Observer["Service"], name: string): Effect.Effect<{ readonly provider: string | null; readonly zone: string | null }> =>
  observe(name, [], "quick").pipe(
    Effect.map(({ delegation: { servers, zone } }) => ({ provider: detect(servers.map((server) => server.name)).provider, zone })),
    Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed({ provider: null, zone: null }) })
  )
