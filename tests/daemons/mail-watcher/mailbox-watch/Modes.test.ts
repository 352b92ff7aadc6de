/**
 * Each watch mode with a real Dovecot: new mail in any folder is announced once, and moved or renamed mail is not
 * announced again.
 */
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { pushTopic } from "#daemons/mail-watcher/mailbox-watch/push/PushNotes.ts"
import { until } from "#support/Frame.ts"
import { describePeers } from "#support/peers/DescribePeers.ts"
import type { DovecotOptions } from "#support/peers/Dovecot.ts"
import { peerOf } from "#support/peers/DovecotPlace.ts"
import { addAccount, type Placed, startWatcher } from "../Watcher.ts"
import { counters, elsewhere, mail, newMessages, told, untilMode, untilTold } from "./Watched.ts"

const modes: ReadonlyArray<{ readonly mode: string; readonly dovecot: Partial<DovecotOptions> }> = [
  { mode: "notify", dovecot: {} },
  {
    mode: "idle",
    dovecot: {
      settings: ["imap_capability = IMAP4rev1 SASL-IR LITERAL+ IDLE UIDPLUS CHILDREN MOVE LIST-EXTENDED LIST-STATUS"]
    }
  },
  { mode: "poll", dovecot: { idle: false } },
  { mode: "notify", dovecot: { version: "2.4" } }
]

const address = "ann@example.test"

for (const { dovecot, mode } of modes) {
  const version = dovecot.version ?? "2.3"
  describePeers([peerOf(version)], `a watched mailbox of Dovecot ${version}`, () => {
    class Place extends Context.Service<Place, Placed & { readonly id: number }>()(`test/Place/${mode}/${version}`) {
      static readonly layer = Layer.effect(
        Place,
        Effect.gen(function* () {
          const placed = yield* startWatcher([address], {
            dovecot,
            suite: { env: { SIGNALBOX_MAIL_POLL_SECONDS: "1" } }
          })
          for (const subject of ["old", "older"]) yield* placed.dovecot.deliver(address, mail(subject))
          const id = yield* addAccount(placed, { address, tenant: 7, watch: "always" })
          yield* untilMode(placed.suite, id, mode)
          return { ...placed, id }
        })
      )
    }

    layer(Place.layer, { excludeTestServices: true, timeout: "60 seconds" })(`by ${mode}`, (it) => {
      it.effect(
        "announces new mail of any folder once, to its owner",
        () =>
          Effect.gen(function* () {
            const { dovecot, id, suite } = yield* Place
            const expected: Array<string> = []
            const expect = (one: string) => untilTold(suite, address, [...expected, one].slice(expected.push(one) - 1))
            const append = (folder: string, subject: string) =>
              elsewhere(dovecot, address, (client) => client.append(folder, mail(subject)))

            yield* dovecot.deliver(address, mail("one"))
            yield* expect("INBOX one")
            assert.deepStrictEqual(yield* newMessages(suite, address), [
              { account: address, folder: "INBOX", message: { uid: 3, from_addr: "ann@sender.test", subject: "one" } }
            ])
            yield* until(
              "its counters",
              Effect.map(counters(suite, address, "INBOX"), (last) => last?.exists === 3 && last.unseen === 3)
            )
            const audience =
              yield* suite.sql`select distinct tenant_id, user_id from core.event where type like 'mail.%'`
            assert.deepStrictEqual(
              audience.map((row) => ({ ...row })),
              [{ tenant_id: 7, user_id: 70 }]
            )

            // A new folder.
            yield* elsewhere(dovecot, address, (client) => client.mailboxCreate("Wörk"))
            yield* append("Wörk", "two")
            yield* expect("Wörk two")
            yield* append("Wörk", "three")
            yield* expect("Wörk three")

            // A moved message is the same message.
            yield* elsewhere(dovecot, address, async (client) => {
              await client.mailboxOpen("INBOX")
              await client.messageMove("1:3", "Wörk", { uid: true })
            })
            yield* until(
              "nothing is left",
              Effect.map(counters(suite, address, "INBOX"), (last) => last?.exists === 0)
            )
            yield* append("Wörk", "four")
            yield* expect("Wörk four")

            // A renamed folder.
            yield* elsewhere(dovecot, address, (client) => client.mailboxRename("Wörk", "Work"))
            yield* append("Work", "five")
            yield* expect("Work five")

            // A deleted and recreated folder with the same name.
            yield* elsewhere(dovecot, address, (client) => client.mailboxDelete("Work"))
            yield* elsewhere(dovecot, address, async (client) => {
              await client.mailboxCreate("Work")
              await client.append("Work", mail("six"))
            })
            yield* expect("Work six")

            // Two equal messages are two messages.
            yield* dovecot.deliver(address, mail("twice"))
            yield* dovecot.deliver(address, mail("twice"))
            yield* until(
              "both",
              Effect.map(told(suite, address), (all) => all.filter((one) => one === "INBOX twice").length === 2)
            )
            yield* elsewhere(dovecot, address, async (client) => {
              await client.mailboxOpen("INBOX")
              await client.messageDelete("1:*")
            })
            yield* until(
              "an empty folder",
              Effect.map(counters(suite, address, "INBOX"), (last) => last?.exists === 0 && last.unseen === 0)
            )
            assert.deepStrictEqual(
              (yield* told(suite, address)).toSorted(),
              [...expected, "INBOX twice", "INBOX twice"].toSorted()
            )
            const cursors = yield* suite.sql<{
              name: string
            }>`select name from mail_watcher.folder where account_id = ${id} order by name`
            assert.deepStrictEqual(
              cursors.map(({ name }) => name),
              ["INBOX", "Work"]
            )

            // A server that pushes is shown as mode push, unless a better mode is active.
            yield* suite.sql`update mail_watcher.account set pushed_at = now() where id = ${id}`
            yield* suite.sql`select pg_notify('signalbox', ${pushTopic})`
            yield* dovecot.deliver(address, mail("called"))
            yield* expect("INBOX called")
            yield* untilMode(suite, id, mode === "poll" ? "push" : mode)

            // Copies of sent mails and drafts are the user's own, also after a move. Delivered mail is not.
            yield* elsewhere(dovecot, address, async (client) => {
              for (const folder of ["Sent", "Drafts"]) await client.mailboxCreate(folder)
            })
            yield* append("Sent", "copy")
            yield* append("Drafts", "draft")
            yield* elsewhere(dovecot, address, (client) =>
              client.append("Sent", `Return-Path: <ann@sender.test>\r\n${mail("filtered")}`)
            )
            yield* expect("Sent filtered")
            yield* elsewhere(dovecot, address, async (client) => {
              await client.mailboxOpen("Sent")
              await client.messageMove("1", "Work", { uid: true })
            })
            yield* append("Work", "last")
            yield* expect("Work last")
            assert.deepStrictEqual(
              (yield* told(suite, address)).toSorted(),
              [...expected, "INBOX twice", "INBOX twice"].toSorted()
            )
          }),
        120_000
      )
    })
  })
}
