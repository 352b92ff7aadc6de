import { HtmlError, HtmlWorker } from "#core/html/HtmlWorker.ts"
import { messageView } from "#daemons/mail-watcher/webmail-reading/message/MessageView.ts"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"

const noWorker = HtmlWorker.of({ sanitise: () => Effect.die("a message without HTML needs no worker") })

it.effect("reads at most 200 message ids from References", () =>
  Effect.gen(function* () {
    const ids = Array.from({ length: 250 }, (_, index) => `<${index}@example.org>`)
    const message = {
      uid: 1,
      envelope: {},
      references: `References: ${ids.join(" ")}`,
      internalDate: undefined,
      flags: new Set<string>(),
      size: 1,
      tree: { blocks: [], attachments: [] },
      texts: new Map<string, string>(),
      truncated: false
    }
    const shown = { folder: "INBOX", account: "ann@example.org", images: "block" } as const
    const view = yield* Effect.provideService(messageView(message, shown), HtmlWorker, noWorker)
    expect(view.references).toEqual(ids.slice(0, 200))
  })
)

it.effect(
  "a message with HTML is unavailable while too many wait, and has only its text when it is beyond cleaning",
  () =>
    Effect.gen(function* () {
      const part = (type: "text/plain" | "text/html", part: string) =>
        ({ part, type, charset: "utf-8", encoding: "7bit", flowed: false, delSp: false, size: 10 }) as const
      const message = {
        uid: 1,
        envelope: {},
        references: "",
        internalDate: undefined,
        flags: new Set<string>(),
        size: 1,
        tree: { blocks: [{ plain: part("text/plain", "1"), html: part("text/html", "2") }], attachments: [] },
        texts: new Map([
          ["1", "Hello"],
          ["2", "<b>Hello</b>"]
        ]),
        truncated: false
      }
      const shown = { folder: "INBOX", account: "ann@example.org", images: "block" } as const
      const viewed = (reason: HtmlError["reason"]) =>
        Effect.provideService(
          messageView(message, shown),
          HtmlWorker,
          HtmlWorker.of({ sanitise: () => Effect.fail(new HtmlError({ reason })) })
        )
      expect(yield* Effect.flip(viewed("Full"))).toMatchObject({ detail: expect.stringContaining("Try again.") })
      for (const reason of ["TimedOut", "Broken"] as const)
        expect(yield* viewed(reason)).toMatchObject({ html: null, text: "Hello", truncated: true })
    })
)
