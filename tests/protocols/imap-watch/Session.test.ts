import type { Login } from "#protocols/imap-watch/Credentials.ts"
import { describe, expect } from "@effect/vitest"
import { Duration, Effect, Queue, Redacted } from "effect"
import { live, scripted } from "./ScriptedServer.ts"

describe("signing in to a server that follows a script", () => {
  live("signs in by token and answers the challenge of a refusal", () =>
    Effect.gen(function* () {
      const { heard, watching } = yield* scripted("* OK [CAPABILITY IMAP4rev1 SASL-IR] hi\r\n", [
        "+ eyJzdGF0dXMiOiI0MDAifQ==\r\n",
        "A1 NO [UNAVAILABLE] dG9rZW4= later\r\n"
      ])
      const refused = yield* Effect.flip(watching)
      expect(refused).toMatchObject({ reason: { _tag: "Refused", code: "UNAVAILABLE" }, retryable: true })
      expect(JSON.stringify(refused) + refused.message).not.toContain("dG9rZW4=")
      expect(heard).toEqual(["A1 AUTHENTICATE OAUTHBEARER dG9rZW4=\r\n", "AQ==\r\n"])
    })
  )

  live(
    "asks what the server can, waits with the token where it must, and looks folder by folder where there is no LIST-STATUS",
    () =>
      Effect.gen(function* () {
        const { heard, watching } = yield* scripted("* OK hi\r\n", [
          "* CAPABILITY IMAP4rev1\r\nTAG OK\r\n",
          "+ \r\n",
          "A2 OK in\r\n",
          "* CAPABILITY IMAP4rev1\r\nTAG OK\r\n",
          '* LIST (\\Noselect) "/" Top\r\n* LIST () "/" Inbox\r\n* LIST () "/" Gone\r\nTAG OK\r\n',
          "* STATUS INBOX (MESSAGES 2 UIDNEXT 9)\r\nTAG OK\r\n",
          "TAG NO no such folder\r\n"
        ])
        const { changes, mode } = yield* watching
        expect(mode).toBe("poll")
        expect(yield* Queue.takeAll(changes)).toEqual([
          { folder: "INBOX", kind: "listed", status: {} },
          { folder: "Gone", kind: "listed", status: {} },
          { folder: "INBOX", kind: "status", status: { messages: 2, uidNext: 9 } },
          { folder: "", kind: "looked", status: {} }
        ])
        expect(heard.slice(1, 3)).toEqual(["A2 AUTHENTICATE OAUTHBEARER\r\n", "dG9rZW4=\r\n"])
      })
  )

  live("what a server says at the end is told without what it was told, and without what moves a terminal", () =>
    Effect.gen(function* () {
      const login: Login = { _tag: "Password", user: "ann", password: Redacted.make("four words") }
      const repeats = yield* Effect.flip(
        (yield* scripted("* OK [CAPABILITY IMAP4rev1] hi\r\n", ['* BYE what is LOGIN ann "four words"\r\n'], { login }))
          .watching
      )
      expect(repeats.reason._tag).toBe("Bye")
      expect(JSON.stringify(repeats) + repeats.message).not.toContain("four words")
      const rude = yield* Effect.flip((yield* scripted("* BYE \u001b]0;yours\u0007 now\r\n", [])).watching)
      expect(rude.message).toBe("connect: the server ended it (]0;yours now)")
    })
  )

  live("a server that does not greet, or does not answer, is given up", () =>
    Effect.gen(function* () {
      const brief = { connectTimeout: Duration.millis(200), stepTimeout: Duration.millis(200) }
      expect(yield* Effect.flip((yield* scripted("", [], brief)).watching)).toMatchObject({
        step: "connect",
        reason: { _tag: "Timeout" }
      })
      expect(
        yield* Effect.flip(
          (yield* scripted("* OK hi\r\n", [], { ...brief, connectTimeout: Duration.seconds(5) })).watching
        )
      ).toMatchObject({ step: "CAPABILITY", reason: { _tag: "Timeout" } })
    })
  )
})
