import { HtmlWorker } from "#core/html/HtmlWorker.ts"
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
