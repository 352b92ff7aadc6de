import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fetchMessage } from "#daemons/mail-watcher/webmail-reading/message/MessageFetch.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import { looking, put, simple } from "../../Mailbox.ts"
import { startWatcher } from "../../Watcher.ts"

const ann = "ann@example.test"

describePeers(["dovecot"], "a message whose structure is not read", () => {
  it.live(
    "is found by its UID after earlier messages were deleted",
    () =>
      Effect.gen(function* () {
        const placed = yield* startWatcher([ann])
        const first = yield* put(placed, ann, "INBOX", simple("deleted"))
        const second = yield* put(placed, ann, "INBOX", simple("kept"))
        yield* put(placed, ann, "INBOX", simple("later"))
        const found = yield* looking(placed, ann, async (client) => {
          await client.mailboxOpen("INBOX")
          await client.messageDelete(String(first), { uid: true })
          return fetchMessage(client, "INBOX", second, { careful: true })
        })
        expect(found).toMatchObject({ uid: second, truncated: true })
        expect(found.envelope.subject).toBe("kept")
        expect(found.texts.get("TEXT")).toContain("text")
      }).pipe(Effect.scoped),
    120_000
  )
})
