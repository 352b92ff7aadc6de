/** Reads one page of new messages of a folder with EXAMINE and UID FETCH. Sources: RFC 3501 §6.3.2, §6.4.5. */
import { Effect } from "effect"
import { type Collected, maxUid, pageUids } from "./Arrivals.ts"
import * as Commands from "./Commands.ts"
import type { Session, Step } from "./Session.ts"
import type { Answered } from "./Wire.ts"

/** Growth factor of the searched UID range. Reason: it reaches all 2^32 UIDs from 200 in nine steps. */
const gapGrowth = 8

/** Selects the folder and fetches its messages from this UID on. `collected` must hear the responses. */
export const readArrivals = (session: Session, folder: string, from: number, collected: Collected): Step<void> =>
  Effect.gen(function* () {
    // EXAMINE and FETCH are sent together, so a new message is announced after one round trip. EXAMINE is also sent
    // when the folder is already selected: FETCH is only sure to see the messages that EXAMINE counts.
    const opened = session.wire.send(Commands.examine(folder))
    const fetched = fetchHeads(session, collected, from)
    yield* session.accepted("EXAMINE", opened)
    yield* session.accepted("UID FETCH", fetched)
    const end = collected.uidNext ?? 0
    // The first page was empty, so the next message has a much higher UID. Larger and larger ranges are searched for
    // UIDs only.
    for (
      let width = pageUids * gapGrowth;
      collected.lowest === undefined && from + width / gapGrowth < end;
      width *= gapGrowth
    ) {
      const to = Math.min(maxUid, from + width - 1)
      collected.expect(from, to)
      yield* session.accepted("UID FETCH", session.wire.send(Commands.fetchUids(from, to)))
      if (collected.lowest !== undefined)
        yield* session.accepted("UID FETCH", fetchHeads(session, collected, collected.lowest))
    }
  })

const fetchHeads = (session: Session, collected: Collected, from: number): Answered => {
  const to = Math.min(maxUid, from + pageUids - 1)
  collected.expect(from, to)
  return session.wire.send(Commands.fetchHeads(from, to))
}
